use futures::StreamExt;
use kube::Api;
use kube::api::{ApiResource, DynamicObject, GroupVersionKind};
use kube::runtime::{WatchStreamExt, reflector, watcher};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

use crate::protocol::{Outcome, Task, Usage, client, commands, say};

/// Twenty informers over kinds that nobody uses.
pub async fn idle(task: Task) -> Outcome {
    let client = client(&task).await?;
    let start = Arc::new(Mutex::new(Usage::now()));
    let mut stores = Vec::new();
    for i in 0..task.count {
        let kind = GroupVersionKind::gvk("bench.example.com", "v1", &format!("Idle{i}"));
        let resource = ApiResource::from_gvk_with_plural(&kind, &format!("idle{i}s"));
        let api: Api<DynamicObject> = Api::all_with(client.clone(), &resource);
        let writer = reflector::store::Writer::new(resource);
        stores.push(writer.as_reader());
        let config = watcher::Config::default().streaming_lists();
        let stream = watcher(api, config).default_backoff().reflect(writer);
        tokio::spawn(stream.for_each(|_| std::future::ready(())));
    }
    for store in &stores {
        store.wait_until_ready().await?;
    }
    say(Value::Object(start.lock().expect("no panics").since("synced")));
    commands(move |word, _| {
        let mut start = start.lock().expect("no panics");
        match word {
            "mark" => {
                *start = Usage::now();
                say(json!({ "at": "marked" }));
            }
            "usage" => say(Value::Object(start.since("usage"))),
            _ => {}
        }
    });
    std::future::pending::<()>().await;
    Ok(())
}
