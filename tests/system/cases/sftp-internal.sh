# internal-sftp runs inside sshd, without any shell: it is confined all the same.
. tests/system/cases/sftp-external.sh sftp-internal
