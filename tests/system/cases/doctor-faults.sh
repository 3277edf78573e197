# Each fault that doctor looks for is planted in a copy of this machine, found, and gone after what doctor says to do.
# limit: 400
. tests/system/lib.sh
. tests/package/root.sh
for tool in python3 strace; do
    command -v $tool >/dev/null || skip "$tool is not installed"
done
throwaway_root bash tests/system/doctor-faults.sh
