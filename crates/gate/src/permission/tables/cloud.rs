//! Rules against commands that destroy cloud services and data stored in clouds.

use crate::permission::rule::Rule;

pub(super) const RULES: &[Rule<'static>] = &[
    Rule::deny(
        "terraform-destroy",
        "terraform|tofu|terragrunt|tf|terraform-cdk destroy|destroy-all|run-all",
        "!-help|plan",
        "it destroys running resources",
    )
    .instead("`terraform plan -destroy` shows what it would do")
    .examples(
        &[
            "terraform destroy",
            "tofu destroy",
            "terraform -chdir=infra destroy -auto-approve",
            "terragrunt run-all destroy",
        ],
        &["terraform plan", "terraform apply"],
    ),
    Rule::deny(
        "terraform-apply-destroy",
        "terraform|tofu|terragrunt apply",
        "-destroy|--destroy",
        "it destroys running resources",
    )
    .instead("`terraform plan -destroy` shows what it would do")
    .examples(&["terraform apply -destroy"], &["terraform apply"]),
    Rule::risky(
        "terraform-apply",
        "terraform|tofu|terragrunt|pulumi|cdk|sam|serverless|sls apply|up|deploy|taint|untaint|\
         import|force-unlock",
        "",
        "it changes running resources",
    )
    .examples(&["terraform apply -auto-approve"], &["terraform plan"]),
    Rule::deny(
        "terraform-state",
        "terraform|tofu|terragrunt state|workspace rm|push|delete|replace-provider",
        "!-dry-run",
        "it removes resources from the state file",
    )
    .instead("`terraform state list` shows the resources")
    .examples(
        &["terraform state rm aws_db_instance.main", "terraform workspace delete x"],
        &["terraform state list", "terraform workspace list"],
    ),
    Rule::deny(
        "pulumi-destroy",
        "pulumi destroy|down",
        "!--preview-only",
        "it destroys running resources",
    )
    .instead("`pulumi preview` shows what it would do")
    .examples(&["pulumi destroy --yes"], &["pulumi preview"]),
    Rule::deny(
        "pulumi-state",
        "pulumi stack|state rm|delete|remove",
        "",
        "it removes resources from the state file",
    )
    .examples(&["pulumi stack rm prod", "pulumi state delete urn"], &["pulumi stack ls"]),
    Rule::deny(
        "stack-destroy",
        "cdk|cdktf|sst|amplify|eb|sls|serverless|sam|azd|aws-nuke|cloud-nuke|up|copilot ... \
         destroy|remove|terminate|delete|down|env:delete|--no-dry-run",
        "",
        "it destroys running resources",
    )
    .examples(
        &["cdk destroy --all", "sls remove", "sam delete", "eb terminate x", "azd down"],
        &["cdk diff", "sls info"],
    ),
    Rule::deny(
        "aws-s3-remove",
        "aws s3|s3api rb|rm|delete-*",
        "--recursive|--force|s3://*|--bucket|--delete !--dryrun",
        "it deletes stored data",
    )
    .instead("`aws s3 ls` shows the files; --dryrun shows what would be deleted")
    .examples(
        &[
            "aws s3 rb s3://app-assets --force",
            "aws s3 rm s3://app-assets --recursive",
            "aws s3api delete-bucket --bucket x",
        ],
        &["aws s3 ls s3://app-assets"],
    ),
    Rule::deny(
        "aws-s3-sync",
        "aws s3 sync|mv",
        "--delete|--recursive !--dryrun",
        "it deletes files that the source doesn't have",
    )
    .instead("leave out --delete")
    .examples(&["aws s3 sync ./empty s3://app-assets --delete"], &["aws s3 sync a s3://b"]),
    Rule::deny(
        "aws-delete",
        "aws ... delete-*|terminate-*|purge-*|destroy-*|schedule-key-deletion|disable-key|\
         batch-delete-*|deregister-*|empty-*|remove-permission|reset-*|stop-logging|disable-*",
        "!--dry-run|--generate-cli-skeleton",
        "it destroys running resources or stored data",
    )
    .instead("use only the list and describe commands; ask the person to delete it")
    .examples(
        &[
            "aws rds delete-db-instance --db-instance-identifier main",
            "aws ec2 terminate-instances --instance-ids i-1",
            "aws iam delete-user --user-name x",
            "aws cloudformation delete-stack --stack-name x",
            "aws --profile p dynamodb delete-table --table-name users",
            "aws cloudtrail stop-logging --name x",
        ],
        &[
            "aws ec2 describe-instances",
            "aws sts get-caller-identity",
            "aws ec2 terminate-instances --dry-run --instance-ids i-1",
        ],
    ),
    Rule::risky(
        "aws-change",
        "aws ... detach-*|remove-*|revoke-*|stop-*|modify-*|put-*|update-*|create-access-key|\
         attach-*|reboot-*",
        "",
        "it changes running resources",
    )
    .examples(
        &["aws ec2 stop-instances --instance-ids i-1", "aws iam create-access-key"],
        &["aws ec2 describe-instances"],
    ),
    Rule::deny(
        "gcloud-delete",
        "gcloud ... delete|destroy|undelete-not|purge",
        "",
        "it destroys running resources or stored data",
    )
    .instead("use only the list and describe commands; ask the person to delete it")
    .examples(
        &[
            "gcloud sql instances delete main",
            "gcloud compute instances delete vm-1 --quiet",
            "gcloud projects delete x",
        ],
        &["gcloud sql instances list"],
    ),
    Rule::deny(
        "gcloud-storage-remove",
        "gcloud|gsutil|bq|mc|s3cmd|b2|s5cmd|azcopy|rados ... rm|rb|del|remove|delete-bucket|\
         delete-file-version|expunge",
        "-r|-R|-a|--recursive|-f|--force|gs://*|s3://*|*/*|*:* !-n|--dry-run",
        "it deletes stored data",
    )
    .instead("use only the list commands")
    .examples(
        &[
            "gsutil -m rm -r gs://bucket",
            "gcloud storage rm gs://b/x --recursive",
            "bq rm -r -f app:data",
            "mc rm --recursive --force m/b",
            "s3cmd rb s3://b",
        ],
        &["gsutil ls gs://b", "s3cmd ls"],
    ),
    Rule::deny(
        "b2-delete-bucket",
        "b2 delete-bucket|delete-file-version",
        "",
        "it deletes stored data",
    )
    .examples(&["b2 delete-bucket photos"], &["b2 list-buckets"]),
    Rule::deny(
        "az-delete",
        "az ... delete|purge|delete-batch|remove-not",
        "!--dryrun",
        "it destroys running resources or stored data",
    )
    .instead("use only the list and show commands; ask the person to delete it")
    .examples(&["az group delete --name prod --yes", "az vm delete -n x"], &["az group list"]),
    Rule::deny(
        "other-cloud-delete",
        "doctl|linode-cli|hcloud|scw|oci|ibmcloud|openstack|vultr-cli|exo|civo|cloudctl|upctl|\
         ovhai|ionosctl|yc|aliyun|tccli|nova|cinder|neutron|glance|xe|govc ... delete|rm|\
         destroy|terminate|purge|remove|vm.destroy|datastore.rm|d",
        "",
        "it destroys running resources or stored data",
    )
    .instead("use only the list commands; ask the person to delete it")
    .examples(
        &[
            "doctl compute droplet delete 12345 -f",
            "hcloud server delete x",
            "openstack server delete x",
        ],
        &["doctl compute droplet list", "hcloud server list"],
    ),
];
