import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listSettings, readConfig } from '@trainyard/platform/server/config/config.ts'
import { ConfigError } from '@trainyard/platform/server/core/errors.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'trainyard-config-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const key = (fill: string) => Buffer.alloc(32, fill).toString('base64')
const read = (env: NodeJS.ProcessEnv) => readConfig({ TRAINYARD_DATA: dir, ...env })
const azure = {
  AZURE_SUBSCRIPTION_ID: '11111111-1111-4111-8111-111111111111',
  AZURE_TENANT_ID: '22222222-2222-4222-8222-222222222222',
  AZURE_CLIENT_ID: '33333333-3333-4333-8333-333333333333',
  AZURE_CLIENT_SECRET: 'a secret',
}

test('backups are in the data folder, with DATABASE_URL only at a place that is set', () => {
  const bucket = { BACKUP_S3_URL: 'https://s3.example.com/labs/portal', BACKUP_S3_KEY_ID: 'id' }
  const own = { DATABASE_URL: 'postgres://owner@localhost/labs', SECRET_KEYS: `k:${key('a')}` }
  expect(read({}).config.backups).toEqual({ folder: join(dir, 'backups'), s3: null, recipient: null, keep: 7 })
  expect(read(own).config.backups).toMatchObject({ folder: null, s3: null })
  expect(read({ ...own, BACKUP_FOLDER: '/srv/backups' }).config.backups.folder).toBe('/srv/backups')
  const { config, secrets } = read({ ...own, ...bucket, BACKUP_S3_SECRET_KEY: 'a bucket secret' })
  expect(config.backups).toMatchObject({
    folder: null,
    s3: { url: bucket.BACKUP_S3_URL, region: 'us-east-1', keyId: 'id' },
  })
  expect(secrets.texts).toContain('a bucket secret')
  expect(() => read(bucket)).toThrow('BACKUP_S3_SECRET_KEY must be set too: the bucket needs all of')
  const url = 'https://s3.example.com'
  expect(() => read({ ...bucket, BACKUP_S3_URL: url })).toThrow(
    'BACKUP_S3_URL must be an address like https://HOST/BUCKET',
  )
})

test('runs everything on this machine with emulated providers if nothing is set', () => {
  const { config, secrets } = read({})
  expect(config.http).toEqual({
    host: '127.0.0.1',
    port: 4000,
    publicUrl: 'http://127.0.0.1:4000',
    trustedProxies: ['loopback'],
    rateLimitFactor: 1,
    privacyNotice: null,
    securityContact: null,
  })
  expect(config.database).toEqual({ kind: 'embedded', connections: 16 })
  expect(config.emulator).toEqual({
    needed: true,
    url: 'http://127.0.0.1:4010',
    port: 4010,
    smtpPort: 4025,
    latency: 0.1,
    world: null,
  })
  expect(config.azure).toMatchObject({ emulated: true, resourceManager: 'http://127.0.0.1:4010' })
  expect(secrets.smtpUrl).toBe('smtp://127.0.0.1:4025')
})

test.each([
  ['DATABASE_ULR', 'DATABASE_URL'],
  ['PUBLIC_URI', 'PUBLIC_URL'],
  ['SMTPURL', 'SMTP_URL'],
  ['SECRET_KEY', 'SECRET_KEYS'],
  ['mail_from', 'MAIL_FROM'],
  ['LXD_SOKET', 'LXD_SOCKET'],
])('stops at %s, which is almost %s', (given, meant) => {
  expect(() => read({ [given]: 'x' })).toThrow(new ConfigError(`${given} is not a setting. Did you mean ${meant}?`))
})

test.each([
  'PATH',
  'HOME',
  'HOSTNAME',
  'POST',
  'HTTP_PROXY',
  'ALL_PROXY',
  'NODE_PATH',
  'npm_config_noproxy',
  'LOGNAME',
])('leaves %s to other programs', (given) => {
  expect(read({ [given]: 'x' }).config.demo).toBe(true)
})

test('lists settings with their source, without secrets', () => {
  const listed = listSettings({ PORT: '4500', SMTP_URL: 'smtps://user:hidden@mail.example.com' })
  expect(listed.filter(({ name }) => ['PORT', 'HOST', 'SMTP_URL', 'PUBLIC_URL'].includes(name))).toEqual([
    { name: 'PORT', value: '4500', source: 'environment' },
    { name: 'HOST', value: '127.0.0.1', source: 'default' },
    { name: 'PUBLIC_URL', value: '', source: 'not set' },
    { name: 'SMTP_URL', value: '(hidden)', source: 'environment' },
  ])
})

test('derives the public URL from the port unless PUBLIC_URL is set', () => {
  expect(read({ PORT: '4500' }).config.http.publicUrl).toBe('http://127.0.0.1:4500')
  const settings = { PUBLIC_URL: 'https://portal.example.com/', NODE_ENV: 'production' }
  expect(read(settings).config.http.publicUrl).toBe('https://portal.example.com')
})

test('shifts all ports without a setting when PORT changes', () => {
  const ports = (env: NodeJS.ProcessEnv) => {
    const { http, emulator, vitePort } = read(env).config
    return [http.port, emulator.port, emulator.smtpPort, vitePort]
  }
  expect(ports({ PORT: '4015' })).toEqual([4015, 4025, 4040, 5188])
  expect(ports({ PORT: '4010', EMULATOR_SMTP_PORT: '4711' })).toEqual([4010, 4020, 4711, 5183])
  expect(ports({ EMULATOR_PORT: '4025' })).toEqual([4000, 4025, 4026, 5173])
  expect(ports({ PORT: '65530' })).toEqual([65_530, 65_520, 65_505, 64_357])
  expect(read({ PORT: '4015' }).secrets.smtpUrl).toBe('smtp://127.0.0.1:4040')
})

test('accepts trusted proxies as a number, names, addresses and networks', () => {
  const trusted = (list: string) => read({ TRUSTED_PROXIES: list }).config.http.trustedProxies
  expect(trusted('2')).toBe(2)
  expect(trusted('loopback, 10.0.0.0/8,2001:db8::1')).toEqual(['loopback', '10.0.0.0/8', '2001:db8::1'])
  expect(trusted('none')).toEqual([])
})

test('does not publish demo accounts beyond this machine', () => {
  for (const HOST of ['localhost', '127.0.0.2', '::1']) expect(read({ HOST }).config.http.host).toBe(HOST)
  for (const HOST of ['0.0.0.0', '::', '192.168.1.5'])
    expect(() => read({ HOST })).toThrow(`HOST is ${HOST}, and this portal has demo accounts with published passwords.`)
  const ownDatabase = { DATABASE_URL: 'postgres://u:p@db/trainyard' }
  expect(read({ HOST: '0.0.0.0', ...ownDatabase }).config.demo).toBe(false)
  // A tunnel or a proxy on this machine makes a portal public that listens only here.
  for (const PUBLIC_URL of ['https://demo.example.com', 'https://127.0.0.1.example.com', 'http://192.168.1.5:4000'])
    expect(() => read({ PUBLIC_URL })).toThrow(`PUBLIC_URL is ${PUBLIC_URL}, and this portal has demo accounts`)
  for (const PUBLIC_URL of ['http://localhost:4000', 'http://127.0.0.2', 'http://[::1]:4000', 'http://lab.localhost'])
    expect(read({ PUBLIC_URL }).config.demo).toBe(true)
  expect(read({ PUBLIC_URL: 'https://portal.example.com', ...ownDatabase }).config.demo).toBe(false)
})

test('treats an empty variable as not set', () => {
  expect(read({ PORT: '', DATABASE_URL: '' }).config).toEqual(read({}).config)
})

test.each([
  ['PORT', '0', 'PORT must be a port number from 1 to 65535.'],
  ['PORT', '4000x', 'PORT must be a port number from 1 to 65535.'],
  ['EMULATOR_PORT', '4000', 'EMULATOR_PORT must differ from PORT: both are 4000.'],
  ['EMULATOR_LATENCY', '-1', 'EMULATOR_LATENCY must be a number, 0 or more.'],
  [
    'DATABASE_URL',
    'mysql://here/there',
    'DATABASE_URL must be an address like postgres://user:password@host:5432/trainyard.',
  ],
  ['SMTP_URL', 'mail.example.com', 'SMTP_URL must be an address like smtps://user:password@mail.example.com:465.'],
  [
    'TRUSTED_PROXIES',
    '10.0.0.0/33',
    'TRUSTED_PROXIES must be none, a number of proxies, or addresses and networks like loopback,10.0.0.0/8, separated by commas.',
  ],
  ['MAIL_FROM', 'Portal <a@b.c>\r\nBcc: x@y.z', 'MAIL_FROM must be an address like Trainyard <portal@example.com>.'],
  [
    'DATABASE_URL',
    'postgres://u:p@one:5432,two:5433/x',
    'DATABASE_URL must be an address like postgres://user:password@host:5432/trainyard.',
  ],
  ['LOG_LEVEL', 'loud', 'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent.'],
  ['SECRET_KEYS', 'first:short', 'SECRET_KEYS must be a list of id:key, each key the base64 of 32 bytes.'],
  ['SECRET_KEYS', `a:${key('x')},a:${key('y')}`, 'SECRET_KEYS names the same key id twice.'],
  ['RATE_LIMIT_FACTOR', '0', 'RATE_LIMIT_FACTOR must be a number above 0.'],
  ['DATABASE_CONNECTIONS', '3', 'DATABASE_CONNECTIONS must be a number of connections, 4 to 500.'],
  ['DATABASE_CONNECTIONS', '81', 'DATABASE_CONNECTIONS must be 80 or fewer with the embedded database.'],
  ['DATABASE_CONNECTIONS', '501', 'DATABASE_CONNECTIONS must be a number of connections, 4 to 500.'],
  ['AUDIT_RETENTION_DAYS', '364', 'AUDIT_RETENTION_DAYS must be a number of days, 365 or more.'],
  [
    'AUDIT_SIGNING_KEY',
    key('x'),
    'AUDIT_SIGNING_KEY must be the base64 of an ed25519 key: openssl genpkey -algorithm ed25519 -outform DER | base64 -w0',
  ],
])('rejects %s=%s with a clear message', (name, value, sentence) => {
  expect(() => read({ [name]: value })).toThrow(new ConfigError(sentence))
})

test('reports all invalid settings at once', () => {
  expect(() => read({ PORT: 'x', LOG_LEVEL: 'loud' })).toThrow(/PORT .*\nLOG_LEVEL /)
})

test("gives API and worker a separate database login, never the owner's", () => {
  const embedded = read({}).secrets
  expect(embedded.ownerUrl).toMatch(/^postgresql:\/\/trainyard@/)
  expect(embedded.databaseUrl).toMatch(/^postgresql:\/\/trainyard_app@/)
  const DATABASE_URL = 'postgres://owner:one@db.test/x'
  const given = read({ DATABASE_URL }).secrets
  expect(given.ownerUrl).toBe(DATABASE_URL)
  expect(given.databaseUrl).toMatch(/^postgres:\/\/owner_app:[\w-]{43}@db\.test\/x$/)
  const DATABASE_APP_URL = 'postgres://mine:two@db.test/x'
  expect(read({ DATABASE_URL, DATABASE_APP_URL }).secrets).toMatchObject({
    ownerUrl: DATABASE_URL,
    databaseUrl: DATABASE_APP_URL,
  })
  const alone = read({ DATABASE_APP_URL })
  expect(alone.secrets).toMatchObject({ ownerUrl: null, databaseUrl: DATABASE_APP_URL })
  expect(alone.config.database.kind).toBe('server')
})

test('treats the decoded password of the database as a secret', () => {
  const { secrets } = read({ DATABASE_URL: 'postgres://owner:one%3A1@db.test/x' })
  expect(secrets.texts).toContain('one:1')
})

test('refuses an incomplete set of Azure settings', () => {
  expect(() => read({ ...azure, AZURE_CLIENT_SECRET: undefined })).toThrow(/^AZURE_CLIENT_SECRET must be set too/)
  const { config, secrets } = read(azure)
  expect(config.azure).toMatchObject({ emulated: false, resourceManager: 'https://management.azure.com' })
  expect(secrets.azureCredential).toEqual({ kind: 'secret', secret: 'a secret' })
  expect(config.emulator.needed).toBe(true)
  expect(read({ ...azure, SMTP_URL: 'smtp://mail.example.com' }).config.emulator.needed).toBe(false)
})

test.each([
  [{ AZURE_CLIENT_CERTIFICATE_PATH: '/a.pem' }, { kind: 'certificate', path: '/a.pem', password: null }],
  [
    { AZURE_CLIENT_CERTIFICATE_PATH: '/a.pem', AZURE_CLIENT_CERTIFICATE_PASSWORD: 'locked' },
    { kind: 'certificate', path: '/a.pem', password: 'locked' },
  ],
  [{ AZURE_FEDERATED_TOKEN_FILE: '/token' }, { kind: 'federated', tokenFile: '/token' }],
  [{ AZURE_MANAGED_IDENTITY: 'user' }, { kind: 'managed', assigned: 'user' }],
])('signs in to Azure with %j instead of a client secret', (credential, expected) => {
  const { config, secrets } = read({ ...azure, AZURE_CLIENT_SECRET: undefined, ...credential })
  expect([config.azure.emulated, secrets.azureCredential]).toEqual([false, expected])
  expect(secrets.texts.includes('locked')).toBe(JSON.stringify(expected).includes('locked'))
})

test('refuses two credentials for Azure, and a password without its certificate', () => {
  expect(() => read({ ...azure, AZURE_MANAGED_IDENTITY: 'system' })).toThrow(
    'Set only one of AZURE_CLIENT_SECRET, AZURE_MANAGED_IDENTITY.',
  )
  expect(() => read({ ...azure, AZURE_CLIENT_CERTIFICATE_PASSWORD: 'x' })).toThrow(
    /^AZURE_CLIENT_CERTIFICATE_PATH must be/,
  )
  expect(() => read({ AZURE_MANAGED_IDENTITY: 'system' })).toThrow(/AZURE_SUBSCRIPTION_ID and AZURE_TENANT_ID/)
})

const razorpay = { RAZORPAY_KEY_ID: 'rzp_live_1', RAZORPAY_KEY_SECRET: 'one', RAZORPAY_WEBHOOK_SECRET: 'two' }

test('refuses an incomplete set of Razorpay settings', () => {
  expect(() => read({ ...razorpay, RAZORPAY_WEBHOOK_SECRET: undefined })).toThrow(
    /^RAZORPAY_WEBHOOK_SECRET must be set/,
  )
  const { config, secrets } = read(razorpay)
  expect(config.payments).toEqual({
    emulated: false,
    keyId: 'rzp_live_1',
    url: 'https://api.razorpay.com',
    checkoutScriptUrl: 'https://checkout.razorpay.com/v1/checkout.js',
  })
  expect([secrets.razorpayKeySecret, secrets.razorpayWebhookSecret]).toEqual(['one', 'two'])
})

test('disables emulated payments in production and with a real Azure', () => {
  expect(read({ EMULATOR_PORT: '4711' }).config.payments).toMatchObject({
    emulated: true,
    url: 'http://127.0.0.1:4711',
    checkoutScriptUrl: 'http://127.0.0.1:4711/v1/checkout.js',
  })
  expect(read({ NODE_ENV: 'production' }).config.payments).toBeNull()
  expect(read(azure).config.payments).toBeNull()
  expect(read({ ...azure, ...razorpay, NODE_ENV: 'production' }).config.payments).not.toBeNull()
})

test("opens machines on the portal's own page and through the emulator unless a gateway or proxy is set", () => {
  expect(read({ EMULATOR_PORT: '4711' }).config.remote).toEqual({
    page: '/remote/',
    sshProxy: 'http://127.0.0.1:4711',
    peerUrl: null,
    egress: ['198.18.0.1/32'],
  })
  expect(read(azure).config.remote).toEqual({ page: '/remote/', sshProxy: null, peerUrl: null, egress: [] })
  expect(
    read({ ...azure, REMOTE_ACCESS_URL: 'https://guac.test/guacamole/#/', SSH_PROXY: 'http://proxy.test:3128' }).config
      .remote,
  ).toEqual({ page: 'https://guac.test/guacamole/', sshProxy: 'http://proxy.test:3128', peerUrl: null, egress: [] })
  expect(() => read({ REMOTE_ACCESS_URL: 'guacamole' })).toThrow(/^REMOTE_ACCESS_URL must be an address/)
})

const aws = { AWS_LAB_ACCESS_KEY_ID: 'AKIAREAL', AWS_LAB_SECRET_ACCESS_KEY: 'a secret' }

test.each([
  ['Azure', azure],
  ['AWS', aws],
  ['Razorpay', razorpay],
  ['mail', { SMTP_URL: 'smtps://mail.example.com' }],
  ['database', { DATABASE_URL: 'postgres://u@h/d', SECRET_KEYS: `a:${key('x')}` }],
])('never allows accounts with published passwords together with a real %s, regardless of NODE_ENV', (_what, real) => {
  expect(read({}).config.demo).toBe(true)
  for (const NODE_ENV of [undefined, 'development', 'test', 'production']) {
    expect(read({ ...real, NODE_ENV }).config.demo).toBe(false)
  }
})

test('contains no secrets in the configuration', () => {
  const dump = JSON.stringify(
    read({ ...azure, DATABASE_URL: 'postgres://u:pass-word@h/d', SMTP_URL: 'smtp://u:pass-word@h' }).config,
  )
  expect(dump).not.toMatch(/pass-word|a secret/)
})

test('knows the texts of all secrets', () => {
  const given = {
    AZURE_CLIENT_SECRET: 'azure secret',
    AWS_LAB_SECRET_ACCESS_KEY: 'aws secret',
    RAZORPAY_KEY_SECRET: 'razorpay secret',
    RAZORPAY_WEBHOOK_SECRET: 'webhook secret',
    SECRET_KEYS: `first:${key('x')}`,
  }
  const addresses = { SMTP_URL: 'smtp://u:mail%20secret@h', HTTPS_PROXY: 'http://u:proxy-secret@h' }
  const { texts } = read({ ...azure, ...aws, ...razorpay, ...given, ...addresses }).secrets
  expect(texts).toEqual(expect.arrayContaining([...Object.values(given), 'mail secret', 'proxy-secret']))
})

test('creates the secret key once and lets only its owner read the file', () => {
  const first = read({}).secrets.keys
  expect(first[0].bytes).toHaveLength(32)
  expect(read({}).secrets.keys).toEqual(first)
  expect(statSync(join(dir, 'secret.key')).mode & 0o777).toBe(0o600)
})

test('keeps the order of the given keys and requires keys in production with a database server', () => {
  const { keys } = read({ SECRET_KEYS: `new:${key('n')}, old:${key('o')}` }).secrets
  expect(keys.map((k) => k.id)).toEqual(['new', 'old'])
  const production = { NODE_ENV: 'production', DATABASE_URL: 'postgres://u@h/d' }
  expect(() => read(production)).toThrow(/^SECRET_KEYS must be set in production/)
  expect(read({ ...production, SECRET_KEYS: `a:${key('x')}` }).config.production).toBe(true)
})

test('emulates AWS while it has no key, but disables AWS without a key if Azure is real', () => {
  const key = { AWS_LAB_ACCESS_KEY_ID: 'AKIAREAL', AWS_LAB_SECRET_ACCESS_KEY: 'a secret' }
  const emulated = read({})
  expect(emulated.config.aws).toMatchObject({ emulated: true, labDomain: 'aws.labs.test', pool: [] })
  expect(emulated.config.aws.consoleUrl).toBe('http://127.0.0.1:4010/aws/signin?account={account}')
  // A key that is set for AWS's own tools must not be used by the portal.
  expect(read({ AWS_ACCESS_KEY_ID: 'AKIAOTHER', AWS_SECRET_ACCESS_KEY: 'x' }).config).toEqual(emulated.config)
  const real = read({ ...key, AWS_LAB_DOMAIN: 'labs.north.academy' })
  expect(real.config.aws).toMatchObject({ emulated: false, labDomain: 'labs.north.academy', units: null })
  expect(real.config.aws.consoleUrl).toBe('https://{account}.signin.aws.amazon.com/console')
  expect(real.secrets.awsCredentials).toEqual({ accessKeyId: 'AKIAREAL', secretAccessKey: 'a secret' })
  expect(read(azure).secrets.awsCredentials).toBeNull()
  expect(read(azure).config.aws.labDomain).toBeNull()
  const pool = { AWS_ACCOUNT_POOL: '111111111111,222222222222' }
  expect(read({ ...key, ...pool, AWS_LAB_UNIT: 'ou-a', AWS_CLEANUP_UNIT: 'ou-b' }).config.aws).toMatchObject({
    pool: ['111111111111', '222222222222'],
    units: { lab: 'ou-a', cleanup: 'ou-b' },
  })
  expect(() => read({ ...key, ...pool })).toThrow('AWS_LAB_UNIT and AWS_CLEANUP_UNIT must be set with AWS_ACCOUNT_POOL')
  expect(() => read({ AWS_LAB_ACCESS_KEY_ID: 'AKIAREAL' })).toThrow('AWS_LAB_SECRET_ACCESS_KEY must be set too')
  expect(() => read({ AWS_ACCOUNT_POOL: '1,2' })).toThrow('AWS_ACCOUNT_POOL must be account numbers of 12 digits')
})

test('ends idle sessions after 12 hours in production and never elsewhere, unless IDLE_MINUTES is set', () => {
  const idle = (env: NodeJS.ProcessEnv) => read(env).config.idleMinutes
  expect([idle({}), idle({ NODE_ENV: 'production' })]).toEqual([null, 720])
  expect([idle({ IDLE_MINUTES: '30' }), idle({ NODE_ENV: 'production', IDLE_MINUTES: '0' })]).toEqual([30, null])
  for (const IDLE_MINUTES of ['4', '10081', '7.5', '-5', 'never'])
    expect(() => read({ IDLE_MINUTES })).toThrow(/IDLE_MINUTES must be a number of minutes, 5 to 10080, or 0/)
})

test('chooses the method of sending emails, and refuses contradictory settings', () => {
  const mail = (env: NodeJS.ProcessEnv) => read(env).config.mail
  const server = 'smtp://portal%40acme.test@smtp.office365.com:587'
  expect(mail({})).toMatchObject({ method: 'smtp', emulated: true })
  expect(mail({ MAIL_METHOD: 'graph' })).toMatchObject({ method: 'graph', emulated: true })
  expect(mail({ ...azure, MAIL_METHOD: 'graph' })).toMatchObject({ method: 'graph', emulated: false })
  expect(mail({ ...azure, MAIL_METHOD: 'smtp-oauth2', SMTP_URL: server })).toMatchObject({ emulated: false })
  expect(() => read({ MAIL_METHOD: 'smtp-oauth2', SMTP_URL: server })).toThrow(/set the Azure settings too/)
  expect(() => read({ ...azure, MAIL_METHOD: 'smtp-oauth2', SMTP_URL: server.replace('@smtp', ':x@smtp') })).toThrow(
    /must have no password/,
  )
  expect(() => read({ MAIL_METHOD: 'graph', SMTP_URL: server })).toThrow(/SMTP_URL is not used/)
})

test('reads the proxy for providers and treats its password as secret', () => {
  expect(read({}).secrets.egressProxy).toBeNull()
  const { config, secrets } = read({
    https_proxy: 'http://portal:pass%2Fword@proxy.test:3128',
    NO_PROXY: '.corp.test, a.test,',
  })
  expect(secrets.egressProxy).toEqual({
    url: 'http://portal:pass%2Fword@proxy.test:3128',
    noProxy: ['.corp.test', 'a.test'],
  })
  expect(secrets.texts).toContain('pass/word')
  expect(JSON.stringify(config)).not.toContain('proxy.test')
  expect(() => read({ HTTPS_PROXY: 'proxy.test:3128' })).toThrow(/HTTPS_PROXY must be an address like/)
})
