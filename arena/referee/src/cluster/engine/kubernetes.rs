//! Workers as an indexed job of Kubernetes: the arena writes its manifest, the user applies it. Workers end with status 0 when
//! the run is over, and with them the job.

use std::path::PathBuf;

use serde_json::json;

use super::{Engine, Launch};
use crate::atomic;
use crate::cluster::now_ms;
use crate::cluster::ClusterError;
use crate::text::note;

/// Restarts of each worker before the job counts as failed.
const RESTARTS: u32 = 100;

/// A job that is written as a file.
pub(super) struct Kubernetes {
    launch: Launch,
    workers: u32,
    /// The job's name, which no earlier one has.
    name: String,
}

/// The manifest's fields other than the run.
struct Cluster {
    image: String,
    claim: String,
    mount: String,
    program: String,
}

impl Kubernetes {
    /// Nothing is written yet.
    pub(super) fn new(launch: Launch, workers: u32) -> Self {
        Self { launch, workers, name: format!("arena-{}", now_ms()) }
    }

    /// The settings among the engine's arguments.
    fn cluster(&self) -> Result<Cluster, ClusterError> {
        let value = |name: &str| {
            let prefix = format!("{name}=");
            self.launch.arguments.iter().find_map(|word| word.strip_prefix(&prefix)).map(str::to_owned)
        };
        let needed = |name: &str, what: &str| {
            value(name).ok_or_else(|| ClusterError::Argument {
                engine: "kubernetes",
                name: name.to_owned(),
                what: what.to_owned(),
            })
        };
        Ok(Cluster {
            image: needed("image", "IMAGE, which holds the arena and the bots under their paths here")?,
            claim: needed("claim", "NAME of the claim of the shared volume")?,
            mount: needed("mount", "PATH of the shared volume, here and in the image")?,
            program: value("program").unwrap_or_else(|| self.launch.program.to_string_lossy().into_owned()),
        })
    }

    /// The job.
    fn manifest(&self) -> Result<serde_json::Value, ClusterError> {
        let Cluster { image, claim, mount, program } = self.cluster()?;
        let folder = std::env::current_dir().unwrap_or_else(|_| ".".into());
        let mut command = vec![program];
        // Kubernetes fills in `$(NAME)`; twice the dollar is a dollar.
        command.extend(self.launch.words.iter().map(|word| word.replace("$(", "$$(")));
        command.extend(["--worker".to_owned(), "$(JOB_COMPLETION_INDEX)".to_owned()]);
        Ok(json!({
            "apiVersion": "batch/v1",
            "kind": "Job",
            "metadata": { "name": self.name },
            "spec": {
                "completions": self.workers,
                "parallelism": self.workers,
                "completionMode": "Indexed",
                "backoffLimit": u64::from(self.workers) * u64::from(RESTARTS),
                "template": { "spec": {
                    "restartPolicy": "OnFailure",
                    "containers": [{
                        "name": "worker",
                        "image": image,
                        "command": command,
                        "workingDir": folder,
                        "resources": { "requests": { "cpu": self.launch.jobs.to_string() } },
                        "volumeMounts": [{ "name": "run", "mountPath": mount }],
                    }],
                    "volumes": [{ "name": "run", "persistentVolumeClaim": { "claimName": claim } }],
                } },
            },
        }))
    }

    fn file(&self) -> PathBuf {
        self.launch.folder.join("job.json")
    }
}

impl Engine for Kubernetes {
    fn start(&mut self) -> Result<(), ClusterError> {
        let path = self.file();
        let text = serde_json::to_vec_pretty(&self.manifest()?)
            .map_err(|error| ClusterError::Folder { path: path.clone(), source: error.into() })?;
        atomic::write(&path, &text).map_err(|source| ClusterError::Folder { path: path.clone(), source })?;
        note(format_args!("start the workers with\n  kubectl apply -f {}", path.display()));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engine(arguments: &[&str]) -> Kubernetes {
        let launch = Launch {
            program: PathBuf::from("/shared/arena"),
            words: vec!["sprt".to_owned(), "uttt".to_owned()],
            folder: PathBuf::from("/shared/run/cluster"),
            jobs: 2,
            arguments: arguments.iter().map(|&word| word.to_owned()).collect(),
        };
        Kubernetes::new(launch, 8)
    }

    #[test]
    fn a_job_has_an_index_for_each_worker() {
        let job = engine(&["image=bots:7", "claim=runs", "mount=/shared"]).manifest().unwrap();
        let spec = &job["spec"];
        assert_eq!((&spec["completions"], &spec["completionMode"]), (&8.into(), &"Indexed".into()));
        let container = &spec["template"]["spec"]["containers"][0];
        let command = ["/shared/arena", "sprt", "uttt", "--worker", "$(JOB_COMPLETION_INDEX)"];
        assert_eq!(container["command"], json!(command));
        assert_eq!(container["resources"]["requests"]["cpu"], "2");
    }

    #[test]
    fn what_is_missing_is_named() {
        let error = engine(&["image=bots:7"]).manifest().unwrap_err().to_string();
        assert!(error.contains("--cluster-arg claim="), "{error}");
    }
}
