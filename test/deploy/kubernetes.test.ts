import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseAllDocuments } from 'yaml'
import { loadConfig } from '../../src/config/load.ts'
import { findProgram } from '../support/find-program.ts'
import { assertStarts, folder, readYaml, writeSecrets } from './support.ts'

interface Pod {
  metadata: { labels: Record<string, string> }
  spec: {
    automountServiceAccountToken: boolean
    enableServiceLinks: boolean
    terminationGracePeriodSeconds?: number
    securityContext: Record<string, unknown>
    containers: Container[]
    volumes: { name: string; secret?: { secretName: string; defaultMode: number } }[]
  }
}
interface Container {
  image: string
  args?: string[]
  envFrom: { configMapRef: { name: string } }[]
  ports?: { name: string; containerPort: number }[]
  securityContext: object
  resources: { requests: object; limits: { memory: string } }
  volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[]
  [probe: `${string}Probe`]: { httpGet: { path: string; port: string } }
}
interface Workload {
  spec: { template: Pod; selector: { matchLabels: Record<string, string> } }
}
interface Kustomization {
  resources: string[]
  images: { name: string }[]
  configMapGenerator: { name: string; literals: string[] }[]
}

const at = (name: string): string => `kubernetes/${name}.yaml`
const kustomization = readYaml<Kustomization>(at('kustomization'))
const deployment = readYaml<Workload>(at('deployment'))
const migrate = readYaml<Workload>(at('migrate'))
const workloads = { deployment, migrate }
const secret = readYaml<{ metadata: { name: string }; stringData: Record<string, string> }>(at('secret.example'))
const mounted = '/run/secrets/wardenry'
const { name: configMap, literals } = kustomization.configMapGenerator[0]!
const settings: Record<string, string> = {
  NODE_ENV: 'production',
  ...Object.fromEntries(literals.map((line) => line.split(/=(.*)/s, 2))),
}

test('the kustomization contains every manifest except the placeholders', () => {
  const files = readdirSync(new URL('kubernetes/', folder))
  const others = files.filter((name) => !['kustomization.yaml', 'secret.example.yaml'].includes(name))
  assert.deepEqual(kustomization.resources.toSorted(), others.sort())
})

test('the service starts with the settings of the configuration map and the names of the secret', () => {
  assertStarts(settings, mounted, writeSecrets(Object.keys(secret.stringData)))
  const files = Object.values(settings).flatMap((value) => value.split(`${mounted}/`)[1] ?? [])
  assert.deepEqual(files.toSorted(), Object.keys(secret.stringData).toSorted())
  for (const [name, value] of Object.entries(settings))
    assert.ok(!/SECRET|TOKEN|KEYS|DATABASE|REDIS|SMTP/.test(name) || value.startsWith(mounted), name)
})

test('the service refuses the placeholders of the secret', () => {
  const { auth_secret, data_keys, bridge_secrets } = secret.stringData
  const values = { AUTH_SECRET: auth_secret, DATA_KEYS: data_keys, BRIDGE_SECRETS: bridge_secrets }
  for (const name of ['AUTH_SECRET', 'DATA_KEYS', 'BRIDGE_SECRETS']) {
    const environment = { NODE_ENV: 'production', PUBLIC_URL: 'https://id.example.com', ...values }
    assert.throws(() => loadConfig(environment), new RegExp(`- ${name} `))
  }
})

for (const [name, { spec }] of Object.entries(workloads)) {
  test(`the pods of ${name} have the least rights and get their secrets as files`, () => {
    const { spec: pod } = spec.template
    const [container] = pod.containers
    assert.ok(container)
    assert.deepEqual([pod.automountServiceAccountToken, pod.enableServiceLinks], [false, false])
    assert.deepEqual(pod.securityContext, {
      runAsNonRoot: true,
      runAsUser: 10001,
      runAsGroup: 10001,
      fsGroup: 10001,
      seccompProfile: { type: 'RuntimeDefault' },
    })
    assert.deepEqual(container.securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    assert.ok(container.resources.requests && container.resources.limits.memory)
    assert.equal(container.image, kustomization.images[0]?.name)
    assert.deepEqual(container.envFrom, [{ configMapRef: { name: configMap } }])
    assert.deepEqual(
      container.volumeMounts.map(({ mountPath }) => mountPath),
      [mounted, '/data', '/tmp'],
    )
    const volume = pod.volumes.find((one) => one.secret)
    assert.deepEqual(volume?.secret, { secretName: secret.metadata.name, defaultMode: 0o440 })
  })
}

test('pods are found by service, budget and network policy, and only the job migrates', () => {
  const { labels } = deployment.spec.template.metadata
  const service = readYaml<{ spec: { selector: object; ports: { targetPort: string }[] } }>(at('service'))
  const budget = readYaml<Workload>(at('disruption-budget'))
  for (const selector of [
    service.spec.selector,
    budget.spec.selector.matchLabels,
    deployment.spec.selector.matchLabels,
  ])
    assert.deepEqual(selector, labels)
  assert.notDeepEqual(migrate.spec.template.metadata.labels, labels)
  const policy = readYaml<{ spec: { podSelector: { matchLabels: Record<string, string> } } }>(at('network-policy'))
  for (const { spec } of Object.values(workloads))
    for (const [name, value] of Object.entries(policy.spec.podSelector.matchLabels))
      assert.equal(spec.template.metadata.labels[name], value)
  assert.equal(service.spec.ports[0]?.targetPort, deployment.spec.template.spec.containers[0]?.ports?.[0]?.name)
  assert.equal(settings.AUTO_MIGRATE, 'false')
  assert.deepEqual(migrate.spec.template.spec.containers[0]?.args, ['migrate'])
})

test('liveness does not depend on the database, and pods have time to stop', () => {
  const { spec } = deployment.spec.template
  const [container] = spec.containers
  assert.equal(container?.livenessProbe?.httpGet.path, '/health/live')
  assert.equal(container?.startupProbe?.httpGet.path, '/health/live')
  assert.equal(container?.readinessProbe?.httpGet.path, '/health/ready')
  const directory = writeSecrets(Object.keys(secret.stringData))
  const values = Object.entries(settings).map(([name, value]) => [name, value.replace(mounted, directory)])
  const { SHUTDOWN_TIMEOUT, PORT } = loadConfig(Object.fromEntries(values))
  assert.ok((spec.terminationGracePeriodSeconds ?? 0) * 1000 > SHUTDOWN_TIMEOUT)
  assert.equal(container?.ports?.[0]?.containerPort, PORT)
})

const kubectl = findProgram(['kubectl', 'kustomize'])

test('kustomize renders the manifests', { skip: !kubectl && 'skipped: no kubectl or kustomize found' }, () => {
  const command = kubectl?.endsWith('kubectl') ? 'kustomize' : 'build'
  const directory = fileURLToPath(new URL('kubernetes', folder))
  const { status, stdout, stderr } = spawnSync(kubectl!, [command, directory], { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  const kinds = parseAllDocuments(stdout).map((document) => document.toJS().kind)
  assert.deepEqual(kinds.sort(), [
    'ConfigMap',
    'Deployment',
    'Job',
    'Namespace',
    'NetworkPolicy',
    'PodDisruptionBudget',
    'Service',
    'ServiceAccount',
  ])
  // Each change to a setting creates a ConfigMap with a new name, by which the pods refer to it.
  assert.match(stdout, /configMapRef:\n +name: wardenry-[a-z0-9]+\n/)
  assert.doesNotMatch(stdout, /image: wardenry\n|PLACEHOLDER/)
})
