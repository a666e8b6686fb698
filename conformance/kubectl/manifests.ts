// What the scenarios apply.

export const webDeployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels: {app: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: nginx
        image: nginx:1.27
        ports: [{containerPort: 80}]
`;

export const listOfTwo = `apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: one, labels: {group: pair}}
  data: {a: "1"}
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: two, labels: {group: pair}}
  data: {b: "2"}
`;

export const gadgetDefinition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: gadgets.kubectl.example.com
spec:
  group: kubectl.example.com
  names: {plural: gadgets, singular: gadget, kind: Gadget, shortNames: [gd], categories: [all]}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    subresources:
      status: {}
      scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}
    additionalPrinterColumns:
    - {name: Size, type: integer, jsonPath: .spec.size}
    - {name: Replicas, type: integer, jsonPath: .spec.replicas, priority: 1}
    schema:
      openAPIV3Schema:
        type: object
        description: A gadget.
        properties:
          spec:
            type: object
            description: What is wanted.
            required: [size]
            properties:
              size: {type: integer, minimum: 1, description: How large it is.}
              replicas: {type: integer, default: 1}
              color: {type: string, enum: [red, green]}
          status:
            type: object
            properties:
              replicas: {type: integer}
`;

export const gadget = `apiVersion: kubectl.example.com/v1
kind: Gadget
metadata: {name: g}
spec: {size: 3, color: red}
`;

export const boundPod = (name: string, node: string): string => `apiVersion: v1
kind: Pod
metadata: {name: ${name}, labels: {app: bound}}
spec:
  nodeName: ${node}
  containers: [{name: main, image: busybox}]
`;

export const node = (name: string): string => `apiVersion: v1
kind: Node
metadata: {name: ${name}, labels: {kubernetes.io/hostname: ${name}}}
`;
