/** The parts of a Kubernetes object that tests examine. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; annotations?: Record<string, string>; labels?: Record<string, string> };
  spec: Record<string, never> & { template: { metadata: Manifest['metadata']; spec: PodSpec } };
  data?: Record<string, string>;
}

export interface PodSpec {
  containers: Container[];
  volumes: { name: string; secret?: { secretName: string; defaultMode: number }; configMap?: object }[];
  terminationGracePeriodSeconds: number;
  securityContext: object;
  automountServiceAccountToken: boolean;
}

export interface Container {
  image: string;
  command?: string[];
  ports?: { name: string; containerPort: number }[];
  env: { name: string; value?: string }[];
  startupProbe: object;
  livenessProbe: object;
  readinessProbe: object;
  lifecycle: { preStop: { exec: { command: string[] } } };
  securityContext: object;
  resources: { limits: { memory: string } };
  volumeMounts: { name: string; mountPath: string; readOnly: boolean }[];
}

/** The only object of a kind. @throws Error unless there is exactly one */
export function onlyOne(manifests: readonly Manifest[], kind: string): Manifest {
  const [found, ...others] = manifests.filter((manifest) => manifest.kind === kind);
  if (!found || others.length > 0) throw new Error(`Not exactly one ${kind}`);
  return found;
}
