import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import { parse, parseAllDocuments } from 'yaml';
import { SECRET_VARIABLES } from '../src/config/forget-variables';
import { SETTINGS } from '../src/config/settings';
import { parseConfigFile } from '../src/provisioning/file/config-file';
import { defaultValues, renderChart, valuesSchema } from './support/helm-chart';
import { type Container, type Manifest, onlyOne, type PodSpec } from './support/manifests';

const ROOT = join(__dirname, '..');
const KUSTOMIZE = join(ROOT, 'docker/kubernetes');
/** Variables that the chart and the manifests set themselves. */
const OWN = ['NODE_ENV', 'PORT', 'METRICS_PORT', 'CONFIG_FILE'];
/** Address ranges that the service must not reach unless a rule allows it. */
const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '169.254.0.0/16'];

const named = { existingSecret: 'relayer' };
const FULL = {
  ...named,
  redis: { enabled: true },
  secretVariables: ['WEBHOOK_SIGNING_KEY'],
  config: { networks: [], signers: [], notifications: [], relayers: [] },
  metrics: {
    port: 9100,
    serviceMonitor: { enabled: true, interval: '15s', labels: { release: 'prometheus' } },
  },
  ingress: { enabled: true, className: 'nginx', host: 'relayer.example.com', tlsSecret: 'relayer-tls' },
  autoscaling: { enabled: true },
  extraEnv: [],
};

const podOf = (manifests: Manifest[], kind = 'Deployment'): PodSpec =>
  onlyOne(manifests, kind).spec.template.spec;
const containerOf = (pod: PodSpec): Container => {
  expect(pod.containers).toHaveLength(1);
  return pod.containers[0]!;
};
const variablesOf = (container: Container): Record<string, string | undefined> =>
  Object.fromEntries(container.env.map(({ name, value }) => [name, value]));
const exceptOf = (policy: Manifest): string[] => {
  const rules = policy.spec.egress as unknown as {
    to?: { ipBlock?: { cidr: string; except?: string[] } }[];
  }[];
  const peers = rules.flatMap(({ to }) => to ?? []);
  return peers.find(({ ipBlock }) => ipBlock?.cidr === '0.0.0.0/0')?.ipBlock?.except ?? [];
};

/** Rules for every pod of the service, however it is deployed. */
function expectSafePod(pod: PodSpec): void {
  const container = containerOf(pod);
  const names = container.env.map(({ name }) => name);
  for (const name of names) {
    const setting = name.replace(/_FILE$/, '');
    expect([...Object.keys(SETTINGS), ...OWN, 'WEBHOOK_SIGNING_KEY']).toContain(
      name in SETTINGS ? name : setting,
    );
    expect(SECRET_VARIABLES).not.toContain(name);
  }
  expect(names).toEqual(
    expect.arrayContaining(['API_KEY_FILE', 'STORAGE_ENCRYPTION_KEY_FILE', 'DATABASE_URL_FILE']),
  );
  expect(variablesOf(container).NODE_ENV).toBe('production');
  const secrets = container.volumeMounts.find(({ name }) => name === 'secrets');
  expect(variablesOf(container).API_KEY_FILE).toBe(`${secrets?.mountPath}/API_KEY`);
  expect(pod.volumes.find(({ name }) => name === 'secrets')?.secret?.defaultMode).toBe(0o440);
  expect(pod.automountServiceAccountToken).toBe(false);
  expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000 });
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
}

describe('The values of the Helm chart', () => {
  const ajv = new Ajv({ allErrors: true });
  const validate = ajv.compile(valuesSchema());
  const faultsOf = (values: object): string[] => {
    validate({ ...defaultValues(), ...values });
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };

  it.each([
    ['its defaults', {}],
    ['everything switched on', FULL],
  ])('agree with the schema: %s', (_what, values) => {
    expect(faultsOf(values)).toEqual([]);
  });

  it.each([
    ['a secret among the settings', { settings: { API_KEY: 'x' } }, '/settings property name must be valid'],
    ['an unknown setting', { settings: { RATE_LIMIT: '5' } }, '/settings property name must be valid'],
    ['a number as a setting', { settings: { TRUST_PROXY: 1 } }, '/settings/TRUST_PROXY must be string'],
    [
      'a further variable without a name',
      { extraEnv: [{ value: 'x' }] },
      "/extraEnv/0 must have required property 'name'",
    ],
    [
      'a secret among further variables',
      { extraEnv: [{ name: 'API_KEY', value: 'x' }] },
      '/extraEnv/0/name must NOT be valid',
    ],
    ['an unknown value', { replicas: 2 }, ' must NOT have additional properties'],
    ['a port out of range', { service: { port: 0 } }, '/service/port must be >= 1'],
  ])('are refused: %s', (_what, values, fault) => {
    expect(faultsOf(values)).toContain(fault);
  });

  it('accept every setting that is neither a secret nor set by the chart itself', () => {
    const { properties } = valuesSchema() as {
      properties: { settings: { propertyNames: { enum: string[] } } };
    };
    const elsewhere = [...SECRET_VARIABLES, ...OWN] as string[];
    expect(properties.settings.propertyNames.enum.sort()).toEqual(
      Object.keys(SETTINGS)
        .filter((name) => !elsewhere.includes(name))
        .sort(),
    );
  });

  it('are all in the schema', () => {
    const { properties } = valuesSchema() as { properties: object };
    expect(Object.keys(properties).filter((name) => name !== 'global')).toEqual(
      expect.arrayContaining(Object.keys(defaultValues())),
    );
  });
});

describe('The Helm chart', () => {
  it('requires only the name of a Secret', () => {
    const manifests = renderChart(named);
    expect(manifests.map(({ kind }) => kind).sort()).toEqual([
      'Deployment',
      'Job',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'Service',
      'ServiceAccount',
    ]);
    expectSafePod(podOf(manifests));
    expect(() => renderChart({})).toThrow('existingSecret names the Secret');
  });

  it('renders all optional objects', () => {
    const manifests = renderChart(FULL);
    expect(manifests.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['ConfigMap', 'HorizontalPodAutoscaler', 'Ingress', 'ServiceMonitor']),
    );
    const pod = podOf(manifests);
    expectSafePod(pod);
    expect(variablesOf(containerOf(pod))).toMatchObject({
      REDIS_URL_FILE: '/run/secrets/relayer/REDIS_URL',
      WEBHOOK_SIGNING_KEY_FILE: '/run/secrets/relayer/WEBHOOK_SIGNING_KEY',
      METRICS_PORT: '9100',
      CONFIG_FILE: '/app/config/config.json',
    });
    // The autoscaler decides.
    expect(onlyOne(manifests, 'Deployment').spec).not.toHaveProperty('replicas');
  });

  it('migrates the database before anything else, with the same image', () => {
    const manifests = renderChart(named);
    const job = onlyOne(manifests, 'Job');
    expect(job.metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade');
    const container = containerOf(podOf(manifests, 'Job'));
    expectSafePod(podOf(manifests, 'Job'));
    expect(container.image).toBe(containerOf(podOf(manifests)).image);
    const [program, script = ''] = container.command ?? [];
    expect(program).toBe('node');
    expect(existsSync(join(ROOT, script.replace(/^dist/, 'src').replace(/\.js$/, '.ts')))).toBe(true);
    expect(renderChart({ ...named, migrations: { hook: false } }).map(({ kind }) => kind)).not.toContain(
      'Job',
    );
  });

  it('passes the authorities of the database to pods and to the Job', () => {
    const given = { name: 'DATABASE_CA_FILE', value: '/run/secrets/relayer/ca.pem' };
    const manifests = renderChart({ ...named, settings: { [given.name]: given.value } });
    for (const kind of ['Deployment', 'Job'])
      expect(containerOf(podOf(manifests, kind)).env).toContainEqual(given);
    const without = containerOf(podOf(renderChart(named), 'Job')).env;
    expect(without.map(({ name }) => name)).not.toContain(given.name);
  });

  it('passes additional variables to pods and to the Job', () => {
    const extraEnv = [
      { name: 'NODE_EXTRA_CA_CERTS', value: '/run/secrets/relayer/ca.pem' },
      { name: 'AWS_REGION', valueFrom: { configMapKeyRef: { name: 'cloud', key: 'region' } } },
    ];
    const manifests = renderChart({ ...named, extraEnv });
    for (const kind of ['Deployment', 'Job'])
      expect(containerOf(podOf(manifests, kind)).env).toEqual(expect.arrayContaining(extraEnv));
  });

  it('mounts the configuration file, and replaces pods when it changes', () => {
    const manifests = renderChart(FULL);
    const text = onlyOne(manifests, 'ConfigMap').data?.['config.json'] ?? '';
    expect(parseConfigFile(text, 'config.json').relayers).toEqual([]);
    const checksum = (values: object): string | undefined =>
      onlyOne(renderChart({ ...named, ...values }), 'Deployment').spec.template.metadata.annotations?.[
        'checksum/config'
      ];
    expect(checksum({ config: { relayers: [] } })).not.toBe(checksum({ config: { signers: [] } }));
  });

  it('serves metrics on a port that the ingress does not expose', () => {
    const manifests = renderChart(FULL);
    const paths = JSON.stringify(onlyOne(manifests, 'Ingress').spec);
    expect(paths).toContain('"name":"http"');
    expect(paths).not.toContain('metrics');
    expect(onlyOne(manifests, 'ServiceMonitor').spec.endpoints).toMatchObject([{ port: 'metrics' }]);
    expect(onlyOne(manifests, 'NetworkPolicy').spec.ingress).toMatchObject([
      { ports: [{ port: 8080 }] },
      { ports: [{ port: 9100 }] },
    ]);
  });

  it('denies pods private addresses by default, except on the ports of the database and Redis', () => {
    const policy = onlyOne(renderChart(named), 'NetworkPolicy');
    expect(exceptOf(policy)).toEqual(expect.arrayContaining(PRIVATE));
    const open = (policy.spec.egress as unknown as { to?: object; ports: { port: number }[] }[]).filter(
      ({ to }) => !to,
    );
    expect(open.flatMap(({ ports }) => ports.map(({ port }) => port))).toEqual([53, 53, 3306]);
  });

  it('allows no clients, scrapers or public addresses if the lists of its network policy are empty', () => {
    const rules = (values: object) => {
      const { ingress, egress } = onlyOne(renderChart({ ...named, networkPolicy: values }), 'NetworkPolicy')
        .spec as unknown as Record<'ingress' | 'egress', Record<string, unknown>[] | null>;
      return { ingress: ingress ?? [], egress: egress ?? [] };
    };
    expect(rules({ clients: [] }).ingress).toMatchObject([{ ports: [{ port: 9090 }] }]);
    expect(rules({ scrapers: [] }).ingress).toMatchObject([{ ports: [{ port: 8080 }] }]);
    expect(rules({ clients: [], scrapers: [] }).ingress).toEqual([]);
    expect(JSON.stringify(rules({}).egress)).toContain('0.0.0.0/0');
    expect(JSON.stringify(rules({ publicPorts: [] }).egress)).not.toContain('ipBlock');
  });

  it('prefers a digest to a tag', () => {
    const digest = `sha256:${'ab'.repeat(32)}`;
    expect(containerOf(podOf(renderChart({ ...named, image: { digest } }))).image).toBe(
      `relayer-management-service@${digest}`,
    );
  });

  it('has the version of the package', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    const chart = parse(readFileSync(join(ROOT, 'docker/helm/relayer/Chart.yaml'), 'utf8')) as object;
    expect(chart).toMatchObject({ appVersion: version });
  });
});

describe('The image', () => {
  it('starts Node with the options of npm start', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const [, command = ''] =
      /(exec node .*)"\]$/m.exec(readFileSync(join(ROOT, 'docker/Dockerfile'), 'utf8')) ?? [];
    expect(scripts['start:prod']).toMatch(/^exec node --max-semi-space-size=\d+ /);
    expect(scripts.start).toBe(scripts['start:prod']);
    expect(command.replace(' --disable-sigusr1', '')).toBe(scripts['start:prod']);
  });
});

describe('The Kustomize manifests', () => {
  const base = join(KUSTOMIZE, 'base');
  const read = (file: string): Manifest => parse(readFileSync(join(base, file), 'utf8')) as Manifest;
  const { resources, configMapGenerator } = read('kustomization.yaml') as unknown as {
    resources: string[];
    configMapGenerator: { literals: string[] }[];
  };
  const manifests = resources.map(read);

  it('limit memory to what the page of the installation says, as the chart does', () => {
    for (const pod of [podOf(manifests), podOf(renderChart(named))])
      expect(containerOf(pod).resources.limits.memory).toBe('768Mi');
    const page = readFileSync(join(ROOT, 'docs/operations/installing.md'), 'utf8').replaceAll(/\s+/g, ' ');
    expect(page).toContain('The memory limit of 768 MiB');
    // With n = 1 it is the limit of the manifests.
    for (const file of ['docker/kubernetes/base/deployment.yaml', 'docker/helm/relayer/values.yaml'])
      expect(readFileSync(join(ROOT, file), 'utf8')).toContain('at least 256 + n × 512 MiB');
    expect(page).toContain('at least 256 + n × 512 MiB');
  });

  it('are all listed in the base', () => {
    expect(['kustomization.yaml', ...resources].sort()).toEqual(readdirSync(base).sort());
  });

  it('follow the same rules as the chart', () => {
    const pod = podOf(manifests);
    const inChart = podOf(renderChart(named));
    expectSafePod(pod);
    expect(exceptOf(onlyOne(manifests, 'NetworkPolicy'))).toEqual(expect.arrayContaining(PRIVATE));
    for (const member of ['startupProbe', 'livenessProbe', 'readinessProbe', 'lifecycle'] as const)
      expect(containerOf(pod)[member]).toEqual(containerOf(inChart)[member]);
    expect(pod.terminationGracePeriodSeconds).toBe(inChart.terminationGracePeriodSeconds);
    const settings = configMapGenerator.flatMap(({ literals }) =>
      literals.map((text) => text.split('=', 1)[0]),
    );
    for (const name of settings) {
      expect(Object.keys(SETTINGS)).toContain(name);
      expect(SECRET_VARIABLES).not.toContain(name);
    }
  });

  const hasKubectl = spawnSync('kubectl', ['kustomize', '--help']).status === 0;
  (hasKubectl ? it : it.skip)('build, with what the overlay changes', () => {
    const text = execFileSync('kubectl', ['kustomize', join(KUSTOMIZE, 'overlays/example')], {
      encoding: 'utf8',
    });
    const built = parseAllDocuments(text).map((document) => document.toJS() as Manifest);
    const deployment = onlyOne(built, 'Deployment');
    expect(deployment.spec).toMatchObject({ replicas: 3 });
    const container = containerOf(deployment.spec.template.spec);
    expect(container.image).toMatch(/^registry\.example\.com\/relayer-management-service:\d/);
    expect(variablesOf(container)).toMatchObject({ REDIS_URL_FILE: '/run/secrets/relayer/REDIS_URL' });
    expectSafePod(deployment.spec.template.spec);
    const maps = built.filter(({ kind }) => kind === 'ConfigMap');
    const settings = maps.find(({ metadata }) => metadata.name.startsWith('relayer-settings-'));
    expect(settings?.data).toEqual({ LOG_FORMAT: 'json', TRUST_PROXY: '1' });
    const config = maps.find(({ metadata }) => metadata.name.startsWith('relayer-config-'))?.data;
    expect(parseConfigFile(config?.['config.json'] ?? '', 'config.json').relayers).toEqual([]);
  });
});
