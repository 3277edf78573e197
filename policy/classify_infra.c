/* Clusters, clouds, deployments: what is dropped, published or sent there. */
#include "policy/classify.h"
#include "policy/place.h"
#include "policy/table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* --- clusters, clouds, build tools ----------------------------------------------------------------------------------------------------------- */
struct infra_rule {
    const char *tools; /* "|aws|gcloud|" */
    const char *word;  /* operand that destroys; with a blank: two in a row */
};

static const struct infra_rule infra_rules[] = {
    {"|kubectl|oc|",                                                    "delete"          },
    {"|kubectl|oc|",                                                    "drain"           },
    {"|kubectl|oc|",                                                    "replace --force" },
    {"|kubectl|oc|",                                                    "scale"           },
    {"|helm|helmfile|",                                                 "uninstall"       },
    {"|helm|helmfile|",                                                 "delete"          },
    {"|helm|helmfile|",                                                 "destroy"         },
    {"|terraform|tofu|terragrunt|pulumi|cdk|cdktf|sst|serverless|sam|", "destroy"         },
    {"|terraform|tofu|terragrunt|",                                     "apply"           },
    {"|terraform|tofu|terragrunt|",                                     "state rm"        },
    {"|terraform|tofu|terragrunt|",                                     "taint"           },
    {"|terraform|tofu|terragrunt|",                                     "force-unlock"    },
    {"|pulumi|serverless|sls|cdk|sam|",                                 "remove"          },
    {"|pulumi|",                                                        "stack rm"        },
    {"|pulumi|",                                                        "up"              },
    {"|terraform|tofu|",                                                "workspace delete"},
    {"|aws|awslocal|",                                                  "s3 rb"           },
    {"|aws|awslocal|",                                                  "s3 rm"           },
    {"|aws|awslocal|",                                                  "delete-"         },
    {"|aws|awslocal|",                                                  "terminate-"      },
    {"|aws|awslocal|",                                                  "purge-queue"     },
    {"|aws|awslocal|",                                                  "deregister-"     },
    {"|aws|awslocal|",                                                  "batch-delete"    },
    {"|gcloud|",                                                        "delete"          },
    {"|az|",                                                            "delete"          },
    {"|az|",                                                            "purge"           },
    {"|gsutil|",                                                        "rm"              },
    {"|gsutil|",                                                        "rb"              },
    {"|bq|",                                                            "rm"              },
    {"|s3cmd|s5cmd|",                                                   "del"             },
    {"|s3cmd|s5cmd|",                                                   "rb"              },
    {"|s5cmd|",                                                         "rm"              },
    {"|doctl|hcloud|linode-cli|scw|exo|vultr-cli|ibmcloud|openstack|",  "delete"          },
    {"|hcloud|doctl|",                                                  "reset"           },
    {"|heroku|",                                                        "apps:destroy"    },
    {"|heroku|",                                                        "pg:reset"        },
    {"|heroku|",                                                        "destroy"         },
    {"|fly|flyctl|",                                                    "destroy"         },
    {"|fly|flyctl|",                                                    "delete"          },
    {"|vercel|",                                                        "remove"          },
    {"|vercel|",                                                        "rm"              },
    {"|netlify|",                                                       "sites:delete"    },
    {"|firebase|",                                                      "firestore:delete"},
    {"|firebase|",                                                      "database:remove" },
    {"|wrangler|",                                                      "delete"          },
    {"|railway|",                                                       "delete"          },
    {"|railway|",                                                       "down"            },
    {"|etcdctl|",                                                       "del"             },
    {"|consul|",                                                        "kv delete"       },
    {"|velero|argocd|flux|",                                            "delete"          },
    {"|eksctl|kops|",                                                   "delete"          },
    {"|kubeadm|",                                                       "reset"           },
    {"|nomad|",                                                         "job stop"        },
    {"|nomad|",                                                         "stop"            },
    {"|supabase|",                                                      "db reset"        },
    {"|supabase|planetscale|pscale|neonctl|turso|",                     "delete"          },
    {"|turso|",                                                         "destroy"         },
    {"|snowsql|",                                                       "drop"            },
    {"|databricks|",                                                    "delete"          },
    {"|rails|rake|",                                                    "db:drop"         },
    {"|rails|rake|",                                                    "db:reset"        },
    {"|rails|rake|",                                                    "db:schema:load"  },
    {"|oci|",                                                           "delete"          },
    {"|aliyun|tccli|",                                                  "Delete"          },
    {"|stripe|",                                                        "delete"          },
    {"|vagrant|",                                                       "destroy"         },
    {"|rake|rails|",                                                    "db:purge"        },
    {"|rclone|",                                                        "purge"           },
    {"|rclone|",                                                        "delete"          },
    {"|mc|",                                                            "rb"              },
    {"|mc|",                                                            "rm"              },
    {"|vault|bao|",                                                     "secrets disable" },
    {"|vault|bao|",                                                     "kv destroy"      },
    {"|vault|bao|",                                                     "kv delete"       },
    {"|earthly|",                                                       "prune"           },
    {"|sst|kamal|",                                                     "remove"          },
    {"|amplify|copilot|chalice|nova|eb|sam|",                           "delete"          },
    {"|amplify|copilot|chalice|nova|eb|sam|",                           "delete-"         },
    {"|eb|",                                                            "terminate"       },
    {"|zappa|",                                                         "undeploy"        },
    {"|zkCli.sh|zkCli|zookeeper-shell|",                                "deleteall"       },
    {"|zkCli.sh|zkCli|zookeeper-shell|",                                "rmr"             },
    {"|celery|",                                                        "purge"           },
    {"|flux|istioctl|linkerd|",                                         "uninstall"       },
    {"|goose|",                                                         "reset"           },
    {"|goose|",                                                         "down-to"         },
    {"|migrate|",                                                       "drop"            },
    {"|ibmcloud|",                                                      "rm"              },
    {"|scw|",                                                           "terminate"       },
    {"|b2|",                                                            "bucket delete"   },
    {"|b2|",                                                            "delete-bucket"   },
    {"|b2|",                                                            "rm"              },
};

static bool names_tool(const char *tools, const char *name)
{
    size_t len = strlen(name);
    for (const char *at = strchr(tools, '|'); at && at[1]; at = strchr(at + 1, '|'))
        if (!strncmp(at + 1, name, len) && at[1 + len] == '|')
            return true;
    return false;
}

static bool rule_hits(const struct sbx_use *use, const char *word)
{
    const char *blank = strchr(word, ' ');
    size_t len = blank ? (size_t)(blank - word) : strlen(word);
    for (uint32_t i = 0; i < use->operands && i < 6; i++) {
        const char *text = use->operand[i]->text;
        bool prefix = word[len - 1] == '-';
        if (strncmp(text, word, len) ||
            (!prefix && text[len] && !(len > 5 && !strncmp(text + len, "-", 1))))
            continue;
        if (!blank)
            return true;
        if (blank[1] == '-' ? sbx_use_has(use, blank + 1) : sbx_operand_is(use, i + 1, blank + 1))
            return true;
    }
    return false;
}

/* az storage copy -s HERE -d https://THERE */
static void copy_away(struct sbx_judge *j, const struct sbx_use *use)
{
    for (uint32_t i = use->first; i + 1 < use->words; i++)
        if ((sbx_value_is(use->word[i], "-d") || sbx_value_is(use->word[i], "--destination")) &&
            strstr(use->word[i + 1]->text, "://"))
            sbx_find_sent(j, SBX_TAINT_FILE);
}

static void infra_uploads(struct sbx_judge *j, struct sbx_use *use)
{
    static const char *const stores[] = {"s3://", "gs://", "b2://", "az://", "oss://", "wasb://"};
    bool copies = false;
    uint32_t last = 0;
    for (uint32_t i = 0; i < use->operands; i++)
        for (size_t k = 0; k < sizeof(stores) / sizeof(*stores); k++)
            if (!strncmp(use->operand[i]->text, stores[k], strlen(stores[k]))) {
                copies = true;
                last = i;
            }
    bool verb = false;
    for (uint32_t i = 0; i < use->operands; i++)
        verb |= sbx_operand_is(use, i, "cp") || sbx_operand_is(use, i, "sync") ||
                sbx_operand_is(use, i, "mv") || sbx_operand_is(use, i, "put") ||
                sbx_operand_is(use, i, "rsync") || sbx_operand_is(use, i, "upload");
    bool cloud = names_tool("|az|b2|gcloud|doctl|oci|", use->name);
    for (uint32_t i = 0; cloud && i < use->operands; i++)
        if (!strncmp(use->operand[i]->text, "upload", 6))
            sbx_find_sent(j, SBX_TAINT_FILE);
    if (copies && verb && last + 1 == use->operands) {
        uint32_t taint = SBX_TAINT_FILE;
        for (uint32_t i = 0; i < last; i++)
            if (strchr(use->operand[i]->text, '/') && !strstr(use->operand[i]->text, "://"))
                taint |= sbx_check_path(j, use->operand[i], SBX_ACCESS_READ);
        sbx_find_sent(j, taint);
    }
    if (sbx_use_letter(use, 'd') && copies)
        sbx_find(j, SBX_ASK, SBX_CLASS_INFRA_DESTROY, "objects dropped at the destination",
                 "leave --delete out");
    for (uint32_t i = use->first; i < use->words; i++)
        if (!strncmp(use->word[i]->text, "fileb://", 8) || strstr(use->word[i]->text, "=fileb://"))
            sbx_find_sent(j, SBX_TAINT_FILE);
    if (!strcmp(use->name, "aws")) {
        for (uint32_t i = 0; i < use->operands; i++)
            if (sbx_operand_is(use, i, "put-object") || sbx_operand_is(use, i, "upload-part"))
                sbx_find_sent(j, SBX_TAINT_FILE);
            else if (sbx_operand_is(use, i, "export-credentials") ||
                     sbx_operand_is(use, i, "create-access-key"))
                sbx_find(j, SBX_DENY, SBX_CLASS_CRED_READ, "keys exported",
                         "tools find their keys by themselves");
            else if (sbx_operand_is(use, i, "get-secret-value") ||
                     sbx_operand_is(use, i, "get-session-token") ||
                     sbx_operand_is(use, i, "get-login-password") ||
                     sbx_operand_is(use, i, "decrypt") || sbx_operand_is(use, i, "assume-role") ||
                     (sbx_operand_is(use, i, "get-parameter") &&
                      sbx_use_has(use, "--with-decryption")))
                sbx_find(j, SBX_ASK, SBX_CLASS_CRED_READ, "a secret printed",
                         "tools find their secrets by themselves");
    }
    if (!strcmp(use->name, "gcloud") || !strcmp(use->name, "az"))
        for (uint32_t i = 0; i < use->operands; i++)
            if (strstr(use->operand[i]->text, "print-access-token") ||
                strstr(use->operand[i]->text, "print-identity-token") ||
                sbx_operand_is(use, i, "get-access-token") ||
                (sbx_operand_is(use, i, "access") && i > 1) ||
                (sbx_operand_is(use, i, "secret") && sbx_operand_is(use, i + 1, "show")))
                sbx_find(j, SBX_ASK, SBX_CLASS_CRED_READ, "a secret printed",
                         "tools find their secrets by themselves");
}

/* kubectl exec POD -- sh: somebody else's shell. */
static bool ends_in_shell(const struct sbx_use *use, uint32_t at)
{
    const struct sbx_value *last = use->operands > at ? use->operand[use->operands - 1] : NULL;
    const char *slash = last ? strrchr(last->text, '/') : NULL;
    const char *base = slash ? slash + 1 : last ? last->text : "";
    const struct sbx_command_row *row = sbx_command_find(base, strlen(base));
    return row && (row->flags & SBX_CMD_SHELL);
}

static void cluster_sources(struct sbx_judge *j, struct sbx_use *use)
{
    bool charts = !strcmp(use->name, "helm") || !strcmp(use->name, "kubectl") ||
                  !strcmp(use->name, "kustomize");
    for (uint32_t i = 0; i < use->options; i++) {
        const struct sbx_opt *o = &use->option[i];
        if (o->value &&
            (o->letter == 'i' || (o->letter == 'f' && sbx_is_remote_source(o->value->text))))
            sbx_find_source(j);
    }
    for (uint32_t i = use->first; i < use->words; i++)
        if (!strncmp(use->word[i]->text, "--from-file=", 12) ||
            !strncmp(use->word[i]->text, "--from-env-file=", 16)) {
            const char *equals = strrchr(use->word[i]->text, '=');
            (void)sbx_check_path(
                j, sbx_value_tail(j, use->word[i], (uint32_t)(equals + 1 - use->word[i]->text)),
                SBX_ACCESS_READ);
        }
    for (uint32_t i = 0; charts && i < use->operands; i++)
        if (sbx_is_remote_source(use->operand[i]->text))
            sbx_find_source(j);
}

static void infra_cluster(struct sbx_judge *j, struct sbx_use *use)
{
    static const char *const runs[] = {"exec", "debug", "rsh", "run"};
    cluster_sources(j, use);
    for (uint32_t i = 0; i < use->operands; i++) {
        if (sbx_operand_is(use, i, "debug") && i + 1 < use->operands &&
            !strncmp(use->operand[i + 1]->text, "node/", 5))
            sbx_find(j, SBX_DENY, SBX_CLASS_PRIV_ESC, "the machine of a cluster from inside",
                     "work in the cluster, not on its machines");
        bool shows = sbx_operand_is(use, i, "get") ||
                     (sbx_operand_is(use, i, "describe") && sbx_use_has(use, "-o --output"));
        if (shows && i + 1 < use->operands && !strncmp(use->operand[i + 1]->text, "secret", 6))
            sbx_find(j, SBX_ASK, SBX_CLASS_CRED_READ, "a secret of the cluster",
                     "secrets of services stay with them");
        if (sbx_operand_is(use, i, "exec") && i + 2 < use->operands &&
            (sbx_operand_is(use, use->operands - 1, "env") ||
             sbx_operand_is(use, use->operands - 1, "printenv")))
            sbx_find(j, SBX_ASK, SBX_CLASS_CRED_READ, "the environment of a container",
                     "secrets of services stay with them");
        if (SBX_OPERAND_IN(use, i, runs)) {
            if (ends_in_shell(use, i + 1))
                sbx_find(j, SBX_ASK, SBX_CLASS_NESTED_SHELL, "a shell in a cluster",
                         "run single commands there");
            break;
        }
        if (sbx_operand_is(use, i, "cp") && i + 2 < use->operands &&
            strchr(use->operand[use->operands - 1]->text, ':'))
            sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "local files sent to a cluster",
                     "sending data away needs approval");
    }
    if (sbx_operand_is(use, 0, "config") && sbx_operand_is(use, 1, "view") &&
        sbx_use_has(use, "--raw"))
        sbx_find(j, SBX_ASK, SBX_CLASS_CRED_READ, "credentials of the cluster",
                 "tools find their credentials by themselves");
}

/* path=/usr state=absent, dest=/etc/x: the files that a module of Ansible works on. */
static void module_args(struct sbx_judge *j, const struct sbx_value *args)
{
    static const struct {
        const char *key;
        enum sbx_access access;
    } keys[] = {
        {"path=", SBX_ACCESS_WRITE},
        {"dest=", SBX_ACCESS_WRITE},
        {"src=",  SBX_ACCESS_READ }
    };
    bool absent = strstr(args->text, "state=absent") != NULL;
    for (const char *at = args->text; *at;) {
        at += strspn(at, " ");
        size_t len = strcspn(at, " ");
        for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
            size_t key = strlen(keys[i].key);
            struct sbx_value *path = len > key && !strncmp(at, keys[i].key, key)
                                         ? sbx_value_new(&j->arena, at + key, len - key)
                                         : NULL;
            if (path)
                (void)sbx_check_path(j, path, absent ? SBX_ACCESS_DELETE_TREE : keys[i].access);
        }
        at += len;
    }
}

static void infra_ansible(struct sbx_judge *j, struct sbx_use *use)
{
    const struct sbx_opt *args = sbx_use_letter(use, 'a'), *module = sbx_use_letter(use, 'm'),
                         *inventory = sbx_use_letter(use, 'i');
    bool local =
        sbx_operand_is(use, 0, "localhost") ||
        (inventory && inventory->value && !strncmp(inventory->value->text, "localhost", 9));
    bool code = !module || !module->value || sbx_value_is(module->value, "shell") ||
                sbx_value_is(module->value, "command") || sbx_value_is(module->value, "raw") ||
                strstr(module->value->text, ".shell") || strstr(module->value->text, ".command");
    struct sbx_flow out = {0};
    const struct sbx_flow in = {.is_set = true, .taint = SBX_TAINT_UNKNOWN};
    for (uint32_t i = 0; i < use->operands; i++) {
        char path[SBX_PATH_BYTES];
        bool standard = sbx_operand_is(use, i, "/dev/stdin") || sbx_operand_is(use, i, "-");
        struct sbx_made *made = !standard && sbx_path_of(j, use->operand[i], path, sizeof(path))
                                    ? sbx_made_find(j, path)
                                    : NULL;
        const struct sbx_value *text = standard && use->in ? use->in->text
                                       : made              ? made->text
                                                           : NULL;
        if (text)
            sbx_classify_tasks(j, text);
    }
    if (!strcmp(use->name, "ansible") && args && args->value && code)
        sbx_judge_code(j, args->value, &in, &out);
    else if (!strcmp(use->name, "ansible") && args && args->value)
        module_args(j, args->value);
    /* salt-call --local cmd.run 'COMMAND', puppet apply -e 'exec {…}' */
    for (uint32_t i = 0; i + 1 < use->operands; i++)
        if (!strncmp(use->operand[i]->text, "cmd.", 4))
            sbx_judge_code(j, use->operand[i + 1], &in, &out);
    const struct sbx_opt *manifest = sbx_use_option(use, "-e");
    if (!strncmp(use->name, "puppet", 6) && manifest && manifest->value)
        sbx_classify_program(j, "puppet", manifest->value, NULL);
    if (sbx_use_letter(use, 'b'))
        sbx_find(j, SBX_DENY, SBX_CLASS_PRIV_ESC, "root rights on other machines",
                 "there are no root rights here");
    if (!strcmp(use->name, "ansible-galaxy") || !strcmp(use->name, "ansible-pull")) {
        for (uint32_t i = 0; i < use->operands; i++)
            if (sbx_is_remote_source(use->operand[i]->text))
                sbx_find_source(j);
        if (sbx_use_has(use, "-U"))
            sbx_find_source(j);
    }
    if (!strcmp(use->name, "ansible-vault") &&
        (sbx_operand_is(use, 0, "decrypt") || sbx_operand_is(use, 0, "view")))
        sbx_find(j, SBX_ASK, SBX_CLASS_CRED_READ, "a secret printed",
                 "tools find their secrets by themselves");
    (void)local;
}

/* Some verbs lose something only with a flag beside them. */
static bool is_harmless_use(const struct sbx_use *use, const char *word)
{
    const struct sbx_opt *replicas = sbx_use_option(use, "--replicas");
    if (!strcmp(word, "scale"))
        return !(replicas && replicas->value && sbx_value_is(replicas->value, "0"));
    if (!strcmp(word, "apply"))
        return !sbx_use_letter(use, 'y') && !sbx_use_letter(use, 'd');
    return !strcmp(word, "up") && !sbx_use_letter(use, 'y');
}

/* dokku apps:destroy, wrangler d1 execute --command 'DROP TABLE x' */
static bool drops_by_words(const struct sbx_use *use)
{
    bool executes = false;
    for (uint32_t i = use->first; i < use->words; i++) {
        const char *colon = strrchr(use->word[i]->text, ':');
        if (colon && colon > use->word[i]->text && !strcmp(colon, ":destroy"))
            return true;
        executes |= sbx_value_is(use->word[i], "execute");
        if (executes && sbx_sql_destroys(use->word[i]))
            return true;
    }
    return false;
}

static void infra_losses(struct sbx_judge *j, const struct sbx_use *use)
{
    if (drops_by_words(use))
        sbx_find(j, SBX_ASK, SBX_CLASS_INFRA_DESTROY, "infrastructure dropped",
                 "this loses data or machines; ask first");
    for (size_t i = 0; i < sizeof(infra_rules) / sizeof(*infra_rules); i++) {
        if (!names_tool(infra_rules[i].tools, use->name) || !rule_hits(use, infra_rules[i].word) ||
            is_harmless_use(use, infra_rules[i].word))
            continue;
        sbx_find(j, SBX_ASK, SBX_CLASS_INFRA_DESTROY, "infrastructure dropped",
                 "this loses data or machines; ask first");
        return;
    }
}

static const struct infra_rule publish_rules[] = {
    {"|az|",                 "webapp up"      },
    {"|az|",                 "webapp deploy"  },
    {"|gcloud|",             "deploy"         },
    {"|eas|",                "submit"         },
    {"|eas|",                "update"         },
    {"|fastlane|",           "deliver"        },
    {"|fastlane|",           "pilot"          },
    {"|fastlane|",           "supply"         },
    {"|hf|huggingface-cli|", "upload"         },
    {"|kaggle|",             "datasets create"},
    {"|kaggle|",             "kernels push"   },
    {"|wandb|",              "sync"           },
    {"|sentry-cli|",         "upload"         },
    {"|sentry-cli|",         "upload-"        },
    {"|webtorrent|",         "seed"           },
    {"|devtunnel|",          "host"           },
};

static void infra_publishing(struct sbx_judge *j, const struct sbx_use *use)
{
    for (size_t i = 0; i < sizeof(publish_rules) / sizeof(*publish_rules); i++)
        if (names_tool(publish_rules[i].tools, use->name) && rule_hits(use, publish_rules[i].word))
            sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "something published or deployed",
                     "publishing needs a person; ask");
    static const char *const asks[] = {"list", "teardown", "whoami", "login", "logout", "plan"};
    if (names_tool("|surge|codecov|codecovcli|", use->name) && use->words > use->first &&
        !SBX_OPERAND_IN(use, 0, asks))
        sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "something published or deployed",
                 "publishing needs a person; ask");
    static const char *const verbs[] = {" deploy", " publish",   " login",       " push", " upload",
                                        " yank",   " unpublish", " hex.publish", " owner"};
    static const char hosts[] = "|vercel|netlify|firebase|surge|heroku|fly|flyctl|railway|wrangler|"
                                "serverless|sls|sam|cdk|sst|gigalixir|cap|capistrano|mina|";
    const char *blank = strchr(use->name, ' ');
    for (size_t i = 0; blank && i < sizeof(verbs) / sizeof(*verbs); i++)
        if (!strcmp(blank, verbs[i]))
            sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "a package or image published",
                     "publishing needs a person; ask");
    static const char builds[] = "|gradle|gradlew|mvn|mvnw|sbt|lein|";
    static const char *const goals[] = {"publish", "deploy", "publishSigned", "release:perform"};
    for (uint32_t i = 0; names_tool(builds, use->name) && i < use->operands; i++)
        if (SBX_OPERAND_IN(use, i, goals))
            sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "a package or image published",
                     "publishing needs a person; ask");
    if (names_tool(hosts, use->name) &&
        (sbx_operand_is(use, 0, "deploy") || sbx_use_has(use, "--prod")))
        sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "a deployment", "deployments need approval");
}

/* watchexec CMD, concurrently 'cmd a' 'cmd b': what they run. */
static void infra_runs(struct sbx_judge *j, struct sbx_use *use)
{
    for (uint32_t i = 0; i < use->options; i++) {
        const struct sbx_opt *o = &use->option[i];
        bool code = o->letter == 'c' && o->value &&
                    (names_tool("|nodemon|", use->name) ||
                     (names_tool("|watchexec|", use->name) && strchr(o->value->text, ' ')));
        if (code)
            sbx_judge_code(j, o->value, use->in, use->out);
    }
    if (names_tool("|lerna|rush|nx|turbo|", use->name) && sbx_operand_is(use, 0, "exec") &&
        use->operands > 1)
        sbx_judge_argv(j, (struct sbx_argv){use->operand + 1, use->operands - 1}, use->in,
                       use->out);
    if (!names_tool("|watchexec|nodemon|concurrently|foreman|pre-commit|tox|nox|coverage|",
                    use->name))
        return;
    for (uint32_t i = 0; i < use->operands; i++) {
        if (strchr(use->operand[i]->text, ' ')) {
            sbx_judge_code(j, use->operand[i], use->in, use->out);
        } else if (sbx_command_find(use->operand[i]->text, use->operand[i]->len)) {
            sbx_judge_argv(j, (struct sbx_argv){use->operand + i, use->operands - i}, use->in,
                           use->out);
            return;
        }
    }
}

/* heroku config, terraform output -raw db_password: values that are called after secrets. */
static void infra_secrets(struct sbx_judge *j, const struct sbx_use *use)
{
    static const char *const settings[] = {"config", "config:get", "variables"};
    bool hit =
        names_tool("|heroku|railway|gigalixir|", use->name) && SBX_OPERAND_IN(use, 0, settings);
    for (uint32_t i = 1; i < use->operands; i++)
        hit |= names_tool("|terraform|tofu|terragrunt|pulumi|", use->name) &&
               (sbx_operand_is(use, 0, "output") || sbx_operand_is(use, 1, "output")) &&
               sbx_is_secret_word(use->operand[i]->text);
    if (hit)
        sbx_find(j, SBX_ASK, SBX_CLASS_CRED_READ, "a secret printed",
                 "tools find their secrets by themselves");
}

void sbx_check_infra(struct sbx_judge *j, struct sbx_use *use)
{
    const char *name = use->name;
    use->out->is_set = true;
    if (sbx_use_is_question(use))
        return;
    const struct sbx_opt *letter = sbx_use_letter(use, 'n');
    bool dry =
        sbx_use_has(use, "--dry-run --dryrun --what-if --preview") || (letter && !letter->value);
    if (!dry) {
        infra_losses(j, use);
        infra_publishing(j, use);
    }
    infra_uploads(j, use);
    if (!strcmp(name, "az"))
        copy_away(j, use);
    infra_secrets(j, use);
    const struct sbx_opt *module = sbx_use_option(use, "-from-module");
    if (module && module->value && sbx_is_remote_source(module->value->text))
        sbx_find_source(j);
    if (names_tool("|kubectl|oc|helm|helmfile|kustomize|", name))
        infra_cluster(j, use);
    if (!strncmp(name, "ansible", 7) || !strncmp(name, "salt", 4) || !strcmp(name, "puppet"))
        infra_ansible(j, use);
    if (names_tool("|vault|etcdctl|consul|", name) && sbx_operand_is(use, 1, "get"))
        sbx_find(j, SBX_ASK, SBX_CLASS_CRED_READ, "a secret printed",
                 "tools find their secrets by themselves");
    infra_runs(j, use);
}
