//! Rules against commands that destroy containers, volumes and clusters.

use crate::permission::rule::Rule;

pub(super) const RULES: &[Rule<'static>] = &[
    Rule::deny(
        "kubectl-delete",
        "kubectl|oc|k|kubecolor|k3s|microk8s|kubectl.docker|minikube|kubectx delete|drain",
        "!--dry-run",
        "it removes resources from the cluster",
    )
    .instead("`kubectl get` shows the resources; --dry-run=client shows what would be deleted")
    .examples(
        &[
            "kubectl delete pods --all",
            "kubectl -n prod delete deployment web",
            "kubectl drain node-1 --force",
            "kubectl get ns -o name | xargs kubectl delete",
            "minikube delete",
        ],
        &[
            "kubectl get pods",
            "kubectl delete pod x --dry-run=client",
            "kubectl describe pod delete-me",
        ],
    ),
    Rule::deny(
        "kubectl-replace",
        "kubectl|oc replace|apply",
        "--force|--prune",
        "it deletes resources of the cluster before it recreates them",
    )
    .instead("`kubectl apply` changes the resources in place")
    .examples(
        &["kubectl replace --force -f db.yaml", "kubectl apply --prune -f k8s/"],
        &["kubectl apply -f k8s/deploy.yaml"],
    ),
    Rule::deny(
        "helm-uninstall",
        "helm uninstall|delete|del|un",
        "!--dry-run",
        "it removes resources from the cluster",
    )
    .instead("`helm list` shows the releases")
    .examples(
        &["helm uninstall web", "helm -n prod delete web"],
        &["helm list", "helm upgrade --install web ./chart"],
    ),
    Rule::deny(
        "helmfile-destroy",
        "helmfile|helmsman|skaffold|tilt|okteto|devspace destroy|delete|down|purge",
        "",
        "it removes resources from the cluster",
    )
    .examples(&["helmfile destroy", "skaffold delete"], &["helmfile diff"]),
    Rule::deny(
        "cluster-delete",
        "kind|k3d|eksctl|kops|talosctl|kubeadm|clusterctl|rke|rancher|velero|argocd|argo|flux|\
         istioctl|gcloud-gke|nomad|cilium|rosa|aks-engine|microk8s ... delete|reset|destroy|\
         uninstall|purge|remove",
        "!--dry-run",
        "it removes a cluster or its resources",
    )
    .examples(
        &[
            "kind delete cluster",
            "eksctl delete cluster x",
            "kubeadm reset -f",
            "argocd app delete x",
            "flux uninstall",
        ],
        &["kind get clusters", "argocd app list"],
    ),
    Rule::deny(
        "nomad-stop",
        "nomad job|system|volume stop|gc|delete|purge",
        "",
        "it stops workloads in the cluster",
    )
    .examples(&["nomad job stop -purge x"], &["nomad job status"]),
    Rule::deny(
        "docker-prune",
        "docker|podman|nerdctl system prune|reset",
        "",
        "it removes containers, images and networks that aren't in use",
    )
    .instead("`docker system df` shows what there is")
    .examples(
        &["docker system prune -a --volumes -f", "docker system prune", "podman system reset"],
        &["docker system df", "docker image prune -f"],
    ),
    Rule::deny(
        "docker-volume",
        "docker|podman|nerdctl volume rm|remove|prune",
        "",
        "it removes volumes with their data",
    )
    .instead("`docker volume ls` shows the volumes")
    .examples(&["docker volume rm app_db", "docker volume prune -f"], &["docker volume ls"]),
    Rule::deny(
        "docker-remove-many",
        "docker|podman|nerdctl rm|rmi|kill|stop|container|image|network",
        "<anywhere> rm|-f|--force|-v|<anywhere>",
        "it removes or stops all containers or images",
    )
    .instead("name the container")
    .examples(
        &[
            "docker rm -f $(docker ps -aq)",
            "docker rmi -f $(docker images -q)",
            "docker ps -q | xargs docker rm",
        ],
        &["docker rm app-web-1", "docker stop app-web-1"],
    ),
    Rule::deny(
        "podman-remove-all",
        "podman|nerdctl rm|rmi|kill|stop",
        "-a|--all",
        "it removes or stops all containers or images",
    )
    .instead("name the container")
    .examples(&["podman rm -af", "podman rmi --all --force"], &["podman rm web", "podman ps -a"]),
    Rule::deny(
        "docker-remove-volumes",
        "docker|podman|nerdctl rm",
        "-v|--volumes",
        "it removes volumes with their data",
    )
    .instead("without -v the volumes stay")
    .examples(&["docker rm -fv db"], &["docker rm app-web-1"]),
    Rule::risky(
        "docker-remove",
        "docker|podman|nerdctl rm|rmi|kill|container|image|builder|network|buildx|context|\
         secret|config|plugin",
        "-f|--force|rm|prune|kill|remove",
        "it removes containers or images",
    )
    .examples(&["docker rm -f app-web-1", "docker container prune"], &["docker ps"]),
    Rule::deny(
        "docker-swarm",
        "docker stack|service|swarm|node|secret|config|checkpoint rm|remove|leave",
        "",
        "it removes resources from the cluster",
    )
    .examples(&["docker stack rm web", "docker swarm leave --force"], &["docker stack ls"]),
    Rule::risky(
        "compose-down",
        "docker|podman|nerdctl compose down",
        "-v|--volumes|--rmi=all",
        "it removes volumes with their data",
    )
    .instead("without -v the volumes stay")
    .examples(
        &["docker compose down -v", "docker compose -f x.yml down --volumes"],
        &["docker compose down", "docker compose up -d"],
    ),
    Rule::risky(
        "compose-down-old",
        "docker-compose|podman-compose down|rm",
        "-v|--volumes|--rmi=all",
        "it removes volumes with their data",
    )
    .instead("without -v the volumes stay")
    .examples(
        &["docker-compose down --volumes --rmi all", "docker-compose rm -sfv"],
        &["docker-compose down"],
    ),
    Rule::risky(
        "compose-rm",
        "docker|podman|nerdctl compose rm",
        "-v|--volumes",
        "it removes volumes with their data",
    )
    .instead("without -v the volumes stay")
    .examples(&["docker compose rm -sfv"], &["docker compose rm"]),
    Rule::risky(
        "docker-open",
        "docker|podman|nerdctl run|exec|create",
        "--privileged|-v=/:*|--volume=/:*|-v=/var/run/docker.sock*|--pid=host|\
         --mount=*source=/,*",
        "the container may change everything on this machine",
    )
    .examples(
        &["docker run -v /:/host alpine", "docker run --privileged x"],
        &["docker run --rm alpine ls"],
    ),
    Rule::deny(
        "machine-destroy",
        "vagrant|multipass|virsh|limactl|lxc|incus|lxd|qm|pct|prlctl|tart|orb|colima|\
         machinectl|docker-machine|podman-machine|wsl|proxmox ... destroy|delete|undefine|\
         purge|vol-delete|pool-delete|remove|rm|--unregister",
        "",
        "it removes a machine with its disk",
    )
    .examples(
        &[
            "vagrant destroy -f",
            "multipass delete --purge x",
            "virsh undefine x --remove-all-storage",
            "lxc delete x --force",
        ],
        &["vagrant status", "virsh list"],
    ),
    Rule::deny(
        "virtualbox",
        "vboxmanage unregistervm|closemedium",
        "--delete|--delete-all",
        "it removes a machine with its disk",
    )
    .examples(&["VBoxManage unregistervm x --delete"], &["VBoxManage list vms"]),
];
