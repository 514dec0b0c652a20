# shellcheck shell=bash
# Slurm: one node, whose user anna submits the page's jobs. Sourced by stage.sh.

slurm_begin() {
	mkdir -p "$SITE"/slurm/{etc,ctld,d} /run/munge
	chown munge: /run/munge
	mount --bind "$SITE/slurm/etc" /etc/slurm
	cat >/etc/slurm/slurm.conf <<-END
		ClusterName=site
		SlurmctldHost=node1
		SlurmUser=root
		AuthType=auth/munge
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		SelectType=select/cons_tres
		SelectTypeParameters=CR_CPU
		ReturnToService=2
		MpiDefault=none
		SlurmdSpoolDir=$SITE/slurm/d
		StateSaveLocation=$SITE/slurm/ctld
		SlurmctldPidFile=/run/slurmctld.pid
		SlurmdPidFile=/run/slurmd.pid
		SlurmctldLogFile=$SITE/slurmctld.log
		SlurmdLogFile=$SITE/slurmd.log
		JobCompType=jobcomp/filetxt
		JobCompLoc=$SITE/slurm/completed
		SchedulerParameters=bf_interval=1,sched_interval=1
		RequeueExit=125
		SlurmdParameters=config_overrides
		NodeName=node1 CPUs=16 RealMemory=4096
		PartitionName=all Nodes=node1 Default=YES MaxTime=60 State=UP
	END
	install -o munge -g munge -m 400 /dev/null "$SITE/slurm/key"
	head -c 1024 /dev/urandom >"$SITE/slurm/key"
	install -d -o munge -g munge -m 700 "$SITE/munge"
	mv "$SITE/slurm/key" "$SITE/munge/key"
	setpriv --reuid munge --regid munge --clear-groups munged --force --key-file "$SITE/munge/key" --log-file "$SITE/munge/log" --pid-file /run/munge/pid --seed-file "$SITE/munge/seed"
	slurmctld
	slurmd
	until_true 120 sh -c 'sinfo -h -o %T | grep -q idle'
}

submit() { as anna sbatch --parsable "$@"; }

field() { scontrol show job "$1" | grep -oE "(^| )$2=[^ ]*" | cut -d= -f2; }

over() { field "$1" JobState | grep -qE '^(COMPLETED|FAILED|TIMEOUT|CANCELLED)'; }

# ends JOB WHAT STATE EXITCODE STATUS: what Slurm says of a job, and what its result says.
ends() {
	until_true 300 over "$1"
	expect "$2: Slurm's state and exit code" "$3 $4" "$(field "$1" JobState) $(field "$1" ExitCode)"
	[ -z "$5" ] || expect "$2: the result's status" "$5" "$(jq -r .status "result-${6:-$1}.json")"
}

slurm_begin
bad_scripts

# Three jobs that Slurm's own time limit ends, in the background of all others: of a service's user,
# of a batch script that does not exec, and of root without a service.
limited=$(submit --time=1 analysis.sbatch endless.py public-health)
child=$(submit --time=1 --wrap 'runner run --json --policy study-analysis endless.py >result-child.json; echo $? >code-child')
cold=$(env -u HOTCELL_SERVER sbatch --parsable --time=1 --wrap 'exec runner run --json --cold --policy study-analysis endless.py >result-cold.json')

good=$(submit analysis.sbatch analysis.py public-health)
refused=$(submit analysis.sbatch refused.py public-health)
failing=$(submit analysis.sbatch failing.py public-health)
timed=$(submit analysis.sbatch endless.py public-health --timeout 2s)
ends "$good" 'a good run' COMPLETED 0:0 succeeded
files "result-$good.json" "out-$good"
ends "$refused" 'a refused script' FAILED 3:0 rejected
ends "$failing" 'a script that raises' FAILED 1:0 failed
ends "$timed" 'over its limit' FAILED 4:0 timed_out
for job in "$refused" "$failing" "$timed"; do
	[ ! -e "out-$job" ] || fail "job $job left files"
done

# An array's tasks run at the same time.
printf 'analysis.py\n%.0s' 1 2 3 4 5 6 >scripts.txt
array=$(submit --array=1-6 array.sbatch scripts.txt public-health)
for task in 1 2 3 4 5 6; do
	ends "${array}_$task" "task $task of an array" COMPLETED 0:0 succeeded "$array-$task"
	files "result-$array-$task.json" "out-$array-$task"
done
# The same on one state directory without a service or an engine process.
seq 6 | xargs -P 6 -I N runner run --cold --json --policy study-analysis --bundle public-health --output cold-N analysis.py >"$SITE/cold.json"
expect 'runs at the same time on one state directory' 6 "$(find . -path './cold-*/survival.png' | wc -l)"


accepted() { grep -c '"route":"POST /v1/runs","status":20' "$SITE/serve.log"; }
one_more() { [ "$(accepted)" -gt "$before" ]; }

before=$(accepted)
cancelled=$(submit analysis.sbatch long.py public-health)
until_true 180 one_more
scancel "$cancelled"
ends "$cancelled" scancel CANCELLED 9:0 cancelled

ends "$limited" 'at the time limit of Slurm' TIMEOUT 9:0 cancelled
ends "$cold" 'the same without a service' TIMEOUT 9:0 cancelled cold
# Here the shell ends by itself, and the job with it; the runner still has KillWait for its answer.
until_true 180 grep -q '"cancelled"' result-child.json
ends "$child" 'the same, as a child of the script' TIMEOUT 0:15 cancelled child

# What Slurm requeues is asked for under the same key: its code has begun once, and is not begun again.
before=$(accepted) recorded=$(runs)
lost=$(submit analysis.sbatch long.py public-health)
until_true 180 one_more
sleep 2
kill -KILL "$ENGINE"
engine_begin
requeued() { [ "$(field "$lost" Restarts)" = "$1" ]; }
until_true 180 requeued 1
expect 'an engine that died: the answer' 'null 125' "$(jq -r '"\(.status) \(.exit_code)"' "result-$lost.json")"
expect 'an engine that died: the job' PENDING "$(field "$lost" JobState)"
scancel "$lost"
# Slurm takes two minutes until it starts the job again; what that asks for is asked for here.
code=0
as anna runner run --json --policy study-analysis --bundle public-health --idempotency-key "slurm-site-$lost" long.py >again.json || code=$?
run=$(grep -oE '[0-9]{13}-[0-9a-f]{16}' "result-$lost.json" | head -n 1)
expect 'the same job again' "125 $run" "$code $(grep -oE '[0-9]{13}-[0-9a-f]{16}' again.json | head -n 1)"
expect 'records of it' "$recorded" "$(runs)"

# Who is not in the service's group is told so.
code=0
as bert runner whoami >"$SITE/bert.log" 2>&1 || code=$?
expect 'a user outside of the group' '125 permission denied' "$code $(grep -o 'permission denied' "$SITE/bert.log" | head -n 1)"
