//! Rules that approve commands that only read from containers, clusters and forges.

use crate::permission::operands::Operands;
use crate::permission::rule::Rule;

pub(super) const RULES: &[Rule<'static>] = &[
    Rule::allow("docker-list", "docker|podman ps|images|version|info|top|port|stats|history|diff", "-a -q -n= -l -s -f= --all --filter= --format= --last= --latest --no-trunc --quiet --size --digests --no-stream -H", Operands::AtMost(4))
        .examples(&["docker ps --format '{{.Names}}'", "docker images"], &["docker -H tcp://x ps", "docker --config /tmp/x ps", "docker ps --unknown", "docker build ."]),
    Rule::allow("docker-lists", "docker|podman container|image|volume|network|context|system|buildx ls|list|df", "-a -q -f= --all --filter= --format= --no-trunc --quiet -v", Operands::None)
        .examples(&["docker volume ls", "docker system df"], &["docker volume rm x", "docker system prune", "docker context use x"]),
    Rule::allow("docker-logs", "docker|podman logs", "-f -t -n= --follow --tail= --since= --until= --timestamps --details", Operands::AtMost(1))
        .examples(&["docker logs --tail 20 web"], &["docker logs a b", "docker logs --unknown a"]),
    Rule::allow("docker-inspect", "docker|podman inspect", "-f= --format= --type= -s --size", Operands::Template)
        .examples(&["docker inspect --format '{{.State.Health.Status}}' app-db-1", "docker inspect -f '{{json .Mounts}}' a"], &["docker inspect app", "docker inspect -f '{{.Config.Env}}' a", "docker inspect -f '{{json .}}' a", "docker inspect -f '{{range .Config.Env}}{{.}}{{end}}' a"]),
    Rule::allow("compose-look", "docker compose ps|logs|images|top|ls|version", "-a -q -f -t -n= --all --tail= --follow --no-color --no-log-prefix --since= --timestamps --format= --services --filter= --status= --quiet --short", Operands::AtMost(6))
        .examples(&["docker compose ps", "docker compose logs --tail=50 web"], &["docker compose config", "docker compose down", "docker compose -f /tmp/x.yml ps", "docker compose exec web sh"]),
    Rule::allow("docker-compose-look", "docker-compose ps|logs|images|top|version", "-a -q -f -t --all --tail= --follow --no-color --since= --timestamps", Operands::AtMost(6))
        .examples(&["docker-compose ps"], &["docker-compose config", "docker-compose up"]),
    Rule::allow(
        "kubectl-look",
        "kubectl|k get|describe|top|explain|api-resources|api-versions",
        "-n= --namespace= -o=SHOWN --output=SHOWN -l= --selector= -A --all-namespaces -w --watch --show-labels --sort-by= --field-selector= --no-headers --context= \
         --containers --recursive",
        Operands::Resources,
    )
    .examples(
        &["kubectl get pods -n staging -o wide", "kubectl describe pod web-0 -n staging", "kubectl -n x get svc"],
        &[
            "kubectl get secrets -o jsonpath='{.items[0].data}'",
            "kubectl get secret/x -o yaml",
            "kubectl get pods -o go-template-file=.env",
            "kubectl describe secret x",
            "kubectl get pods,secrets",
            "kubectl get --raw /api/v1/secrets",
            "kubectl --kubeconfig=/tmp/x get pods",
            "kubectl get -f x.yaml",
            "kubectl delete pod x",
        ],
    ),
    Rule::allow(
        "kubectl-logs",
        "kubectl|k logs",
        "-n= --namespace= -l= --selector= -c= --container= -f --follow --tail= --since= --previous -p --all-containers[=] --prefix \
         --timestamps --context= --limit-bytes= --max-log-requests=",
        Operands::Resources,
    )
    .examples(&["kubectl logs -f deploy/web --tail=20"], &["kubectl logs --kubeconfig=x web", "kubectl logs $x"]),
    Rule::allow("kubectl-context", "kubectl config current-context|get-contexts|get-clusters", "-o= --no-headers", Operands::AtMost(1))
        .examples(&["kubectl config current-context"], &["kubectl config view --raw", "kubectl config use-context x"]),
    Rule::allow("kubectl-state", "kubectl version|cluster-info", "--client --short --output= -o= --context=", Operands::None)
        .examples(&["kubectl version --client"], &["kubectl cluster-info dump"]),
    Rule::allow("kubectl-wait", "kubectl|k wait", "-n= --namespace= --context= --for= --timeout= -l= --selector= --all -A", Operands::Resources)
        .examples(&["kubectl wait --for=condition=Ready pod/web --timeout=60s"], &["kubectl wait -f x.yaml", "kubectl delete pod web --wait"]),
    Rule::allow("kubectl-rollout", "kubectl rollout status|history", "-n= --namespace= --context= --timeout= --revision= -w", Operands::Resources)
        .examples(&["kubectl rollout status deploy/web"], &["kubectl rollout undo deploy/web", "kubectl rollout restart deploy/web"]),
    Rule::allow("helm-repositories", "helm repo|plugin list|ls", "-o=", Operands::None).examples(&["helm repo list"], &["helm repo add x y", "helm plugin install x"]),
    Rule::allow("docker-image-inspect", "docker|podman image|manifest|context inspect", "-f= --format= -v --verbose --insecure[=] --platform=", Operands::AtMost(4))
        .examples(&["docker image inspect app:dev", "docker manifest inspect debian:13 -v", "docker image inspect --format '{{.Id}}' app"], &["docker image rm app", "docker image inspect $X", "docker manifest push x", "docker image inspect app; rm x", "docker -H tcp://x image inspect app"]),
    Rule::allow("docker-imagetools", "docker buildx imagetools inspect", "--raw --format=", Operands::AtMost(1))
        .examples(&["docker buildx imagetools inspect debian:13"], &["docker buildx imagetools create x", "docker buildx inspect --bootstrap"]),
    Rule::allow("registries", "skopeo|crane|regctl inspect|list-tags|manifest|digest|ls|config|tag", "--raw --format= --platform= --no-tags", Operands::AtMost(1))
        .examples(&["skopeo inspect docker://debian:13", "crane digest debian:13"], &["crane delete x", "crane tag a b", "skopeo copy a b", "skopeo inspect --authfile x y"]),
    Rule::allow("networks", "docker|podman network|volume inspect", "-v -f= --format=", Operands::AtMost(4))
        .examples(&["docker network inspect bridge"], &["docker volume rm data", "docker network create x", "docker volume inspect $X"]),
    Rule::allow("kubectl-may", "kubectl|k auth can-i", "-n= --namespace= -A --list --context=", Operands::AtMost(3))
        .examples(&["kubectl auth can-i get pods"], &["kubectl auth can-i get pods --as=root", "kubectl auth reconcile -f x"]),
    Rule::allow("gh-search", "gh search issues|prs|repos|commits|code", "-L= --limit= --state= --author= --repo= -R= --label= --owner= --language= --json= --jq=JQ -q=JQ", Operands::AtMost(4))
        .examples(&["gh search issues parser --limit 5"], &["gh search prs --web x", "gh search code x --jq env"]),
    Rule::allow("helm-look", "helm list|ls|status|history|version", "-n= --namespace= -A -a -o= --all-namespaces --kube-context= --short --max= --filter= -q", Operands::AtMost(1))
        .examples(&["helm list -A"], &["helm get values x", "helm upgrade x y", "helm list --kubeconfig=x"]),
    Rule::build("terraform-look", "terraform|tofu version|providers|graph", "-json", Operands::None).defined_in("**/*.tf **/.terraform/**").examples(&["terraform version"], &["terraform apply", "terraform providers lock"]),
    Rule::allow(
        "gh-look",
        "gh pr|issue|run|release|workflow|repo|label|milestone|discussion|project|ruleset|cache list|view|status|diff|checks|ls",
        "-R= --repo= -L= -s= -l= -a= -A= -B= -H= -S= -b= -j= -q=JQ -t= -c -d -u= --json= --limit= --state= --label= --author= --assignee= --base= \
         --head= --search= --jq=JQ --template= --comments --name-only --patch --color= --required --watch[=] --interval= -i= --owner= --format= --branch= --workflow= \
         --status= --user= --event= --commit= --log --log-failed --job= --verbose --exit-status --attempt= --fail-fast --draft \
         --milestone= --mention= --app= --yaml --all --visibility= --language= --created= --order= --sort= --exclude-drafts --ref=",
        Operands::AtMost(1),
    )
    .examples(
        &["gh pr list --json number,title,author --limit 20", "gh pr diff 42", "gh pr checks 42", "gh issue view 17 --comments", "gh run list --limit 5", "gh -R a/b pr view 1"],
        &["gh pr merge 12 --squash", "gh auth token", "gh gist create notes.md", "gh pr view 1 --web", "gh pr view -w 1", "gh api repos/a/b -X DELETE", "gh issue create --title x", "gh repo delete x"],
    ),
    Rule::allow("gh-runs", "gh run list|ls", "-R= --repo= -L= -b= -w= -q=JQ -t= -u= -s= -e= -c= --json= --limit= --branch= --workflow= --jq=JQ --template= --user= --status= --event= --commit= --created=", Operands::None)
        .examples(&["gh run list -w ci.yml"], &["gh run list --web", "gh run rerun 1"]),
    Rule::allow("gh-watch", "gh run watch", "-R= --repo= -i= --interval= --exit-status --compact", Operands::AtMost(1))
        .examples(&["gh run watch 17 --exit-status"], &["gh run rerun 17", "gh run watch --unknown 17", "gh run cancel 17"]),
    Rule::allow("gh-account", "gh auth status", "-a --active", Operands::None)
        .examples(&["gh auth status"], &["gh auth status --show-token", "gh auth status -t", "gh auth status -at", "gh auth token", "gh auth logout", "gh auth status --json hosts"]),
    Rule::allow(
        "gh-api",
        "gh api",
        "-X=GET|get|HEAD|head --method=GET|get|HEAD|head -H=ACCEPT --header=ACCEPT -q=JQ --jq=JQ -t= --template= -p=NAME --preview=NAME --cache= -i \
         --include --paginate --slurp -f= --raw-field= -F= --field=",
        Operands::Request,
    )
    .examples(
        &[
            "gh api repos/a/b/pulls/3/comments --paginate",
            "gh api user --jq .login",
            "for n in 1 2; do gh api \"repos/a/b/pulls/$n\"; done",
            "gh api -H 'Accept: application/vnd.github.raw+json' repos/a/b/readme",
            "gh api -X GET search/issues -f q='is:open parser'",
            "gh api graphql -f query='query($n: Int!) { repository(owner: \"a\", name: \"b\") { issue(number: $n) { title } } }' -F n=7",
            "gh api graphql -f query='{ viewer { login } }'",
        ],
        &[
            "gh api -X DELETE repos/a/b",
            "gh api -XPOST repos/a/b/issues",
            "gh api --method=PATCH repos/a/b",
            "gh api repos/a/b/issues -f title=x",
            "gh api repos/a/b/issues -F title=x",
            "gh api repos/a/b/issues --raw-field=title=x",
            "gh api repos/a/b --input x.json",
            "gh api graphql -f query='mutation { deleteIssue(input: {issueId: \"x\"}) { clientMutationId } }'",
            "gh api graphql -f query='query { a } mutation b { c }' -f operationName=b",
            "gh api graphql -F query=@x.graphql",
            "gh api graphql -f query=\"$QUERY\"",
            "gh api graphql -f query='query { a }' -F key=@.env",
            "gh api graphql",
            "gh api -X GET repos/a/b -F key=@.env",
            "gh api https://example.com/x",
            "gh api --hostname example.com user",
            "gh api \"users/$AWS_SECRET_ACCESS_KEY\"",
            "gh api \"users/$X\"",
            "X=$AWS_SECRET_ACCESS_KEY; gh api \"users/$X\"",
            "gh api \"users/$(cat package.json)\"",
            "gh api \"users/`cat package.json`\"",
            "gh api -X GET search/issues -f q=\"is:open $(cat package.json)\"",
            "gh api -X GET search/issues -f q=\"is:open $API_KEY\"",
            "gh api -H 'X-HTTP-Method-Override: DELETE' repos/a/b",
            "gh api repos/a/b --jq env",
            "gh api $X",
            "gh api repos/$X",
            "gh api -X GET search/issues -f q=$X",
            "gh api repos/a/b repos/c/d",
            "GH_HOST=example.com gh api user",
            "gh api user > user.json",
        ],
    ),
    Rule::allow("gh-status", "gh status|version|--version", "", Operands::None).examples(&["gh status"], &["gh auth status", "gh auth token"]),
    Rule::allow("glab-look", "glab mr|issue|ci|release|repo list|view|status|diff", "-R= --repo= -F= --output= -P= --per-page= --comments -l= -a= --assignee= --author= --label= --all", Operands::AtMost(1))
        .examples(&["glab mr list"], &["glab mr merge 1", "glab auth status"]),
];
