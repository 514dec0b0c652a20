"""A script in the sandbox as a task of Airflow, in a pod of the cluster. Untested."""

import pendulum
from airflow.decorators import dag
from airflow.providers.cncf.kubernetes.operators.pod import KubernetesPodOperator
from kubernetes.client import models as k8s

IMAGE = "registry.example.org/hotcell-step@sha256:" + 64 * "0"

# Airflow knows that a pod failed and tries it again whatever the exit code; so the loop is here, and
# retries is 0. Only 125 says nothing of the script. SIGTERM reaches the runner through wait.
STEP = """
attempt=1
mkdir -p "/out/$RUN" || exit 125
while :; do
    runner run --json --token-file /token/token --policy study-analysis --bundle public-health \
        --idempotency-key "airflow-$RUN" --output "/out/$RUN/released" /script/analysis.py >"/out/$RUN/result.json" &
    trap "kill -TERM $!" TERM
    wait $!
    code=$?
    [ "$code" -le 128 ] || { wait $!; code=$?; }
    [ "$code" = 125 ] && [ "$attempt" -lt 3 ] || exit "$code"
    sleep $((attempt * 30))
    attempt=$((attempt + 1))
done
"""


@dag(schedule=None, start_date=pendulum.datetime(2026, 1, 1), catchup=False)
def analysis():
    KubernetesPodOperator(
        task_id="analysis",
        namespace="analyses",
        image=IMAGE,
        cmds=["/bin/sh", "-c"],
        arguments=[STEP],
        retries=0,
        do_xcom_push=False,
        automount_service_account_token=False,
        termination_grace_period=60,
        active_deadline_seconds=1200,
        env_vars={
            "HOTCELL_SERVER": "https://hotcell.example.org",
            # The same for each attempt of one task of one DAG run.
            "RUN": "{{ dag.dag_id }}-{{ ts_nodash }}-{{ task.task_id }}",
        },
        volumes=[
            # Not Airflow's own Secret, which everybody in the container could read: runner refuses that.
            k8s.V1Volume(name="token", secret=k8s.V1SecretVolumeSource(secret_name="hotcell-token", default_mode=0o440)),
            k8s.V1Volume(name="script", config_map=k8s.V1ConfigMapVolumeSource(name="analysis-script")),
            k8s.V1Volume(
                name="out",
                persistent_volume_claim=k8s.V1PersistentVolumeClaimVolumeSource(claim_name="analysis-out"),
            ),
        ],
        volume_mounts=[
            k8s.V1VolumeMount(name="token", mount_path="/token", read_only=True),
            k8s.V1VolumeMount(name="script", mount_path="/script", read_only=True),
            k8s.V1VolumeMount(name="out", mount_path="/out"),
        ],
        container_resources=k8s.V1ResourceRequirements(requests={"cpu": "100m", "memory": "256Mi"}, limits={"memory": "256Mi"}),
        security_context={"runAsNonRoot": True, "runAsUser": 65532, "runAsGroup": 65532, "fsGroup": 65532},
    )


analysis()
