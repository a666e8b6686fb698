package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
)

// Turns lines of a watch of Pods (JSON) into the frames that kube-apiserver would send for protobuf.
func encode(task) error {
	known := scheme()
	whole := protobuf.NewSerializer(known, known)
	raw := protobuf.NewRawSerializer(known, known)
	framed := protobuf.LengthDelimitedFramer
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	defer out.Flush()
	frames := framed.NewFrameWriter(out)
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		var event struct {
			Type   string
			Object json.RawMessage
		}
		if err := json.Unmarshal(line, &event); err != nil {
			return err
		}
		var pod corev1.Pod
		if err := json.Unmarshal(event.Object, &pod); err != nil {
			return err
		}
		pod.APIVersion, pod.Kind = "v1", "Pod"
		var object, message bytes.Buffer
		if err := whole.Encode(&pod, &object); err != nil {
			return err
		}
		sent := &metav1.WatchEvent{Type: event.Type, Object: runtime.RawExtension{Raw: object.Bytes()}}
		if err := raw.Encode(sent, &message); err != nil {
			return err
		}
		if _, err := frames.Write(message.Bytes()); err != nil {
			return err
		}
	}
}
