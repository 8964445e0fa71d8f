import { createHash, randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type WebSocket, WebSocketServer } from 'ws'

interface StandInInstance {
  name: string
  status: 'Running' | 'Stopped' | 'Frozen' | 'Error'
  created_at: string
  last_used_at: string
  config: Record<string, string>
  description?: string
  devices: Readonly<Record<string, Readonly<Record<string, string>>>>
  profiles: unknown
  /** Processor time in ns. */
  processor?: number
}

const hardwareAddressOf = (name: string): string =>
  `00:16:3e:${createHash('sha256')
    .update(name)
    .digest('hex')
    .slice(0, 6)
    .replace(/(..)(?=.)/g, '$1:')}`

interface Operation {
  readonly created_at: string
  readonly err: string
  readonly metadata: unknown
  /** End of the operation, if it waits for its input. */
  readonly ended?: Promise<void>
}

interface Answer {
  readonly status: number
  readonly body: object
}

/** Failures of the next operations, by method and path. A started operation fails with the text. */
type Failure = { readonly on: RegExp; readonly text: string; readonly effect?: () => void }

const LAST_POWER = 'volatile.last_state.power'

/** A small LXD 5.0 on a socket: it answers and refuses as the recordings do. */
export async function standIn(project = 'default') {
  const folder = mkdtempSync(join(tmpdir(), 'lxd-'))
  const path = join(folder, 'unix.socket')
  const instances = new Map<string, StandInInstance>()
  const operations = new Map<string, Operation>()
  /** Reports of the daemon about its rights and its pool. */
  const state = { restricted: false, usedPercent: 40, readsBeforeNetwork: 0 }
  const aliases = new Map<string, string>([['lab-ssh', 'f'.repeat(64)]])
  const networks = new Map<string, Record<string, unknown>>()
  const acls = new Map<string, Record<string, unknown>>()
  const passwords = new Map<string, string>()
  /** Contents of files, by instance and path. */
  const files = new Map<string, string>()
  const failures: Failure[] = []
  const requests: string[] = []
  let address: string | null = '10.77.0.230'
  let exitCode = 0
  let endInput = () => {}

  const sync = (metadata: unknown, status = 200): Answer => ({
    status,
    body: { type: 'sync', status_code: 200, operation: '', error_code: 0, error: '', metadata },
  })
  const refuse = (status: number, error: string): Answer => ({
    status,
    body: { type: 'error', status_code: 0, operation: '', error_code: status, error, metadata: null },
  })
  const started = (err: string, metadata: unknown = null, ended?: Promise<void>): Answer => {
    const id = randomUUID()
    const created_at = new Date().toISOString()
    operations.set(id, { created_at, err, metadata, ended })
    const operation = { id, created_at, status_code: 103, err: '', metadata }
    return {
      status: 202,
      body: { type: 'async', operation: `/1.0/operations/${id}?project=${project}`, metadata: operation },
    }
  }
  const viewOf = (instance: StandInInstance) => ({
    ...instance,
    state: {
      status: instance.status,
      cpu: { usage: instance.processor ?? 0 },
      network:
        instance.status === 'Running'
          ? {
              // A user with root rights in the machine can report any address.
              a0: { addresses: [{ family: 'inet', address: '10.77.200.9', scope: 'global' }] },
              lo: { addresses: [{ family: 'inet', address: '127.0.0.1', scope: 'local' }] },
              eth0: { addresses: address === null ? [] : [{ family: 'inet', address, scope: 'global' }] },
            }
          : null,
    },
  })

  /** The bridge leases an address to each running machine. */
  const leasesOf = (network: string) =>
    [...instances.values()]
      .filter(({ status, devices }) => status === 'Running' && devices['eth0']?.['network'] === network)
      .flatMap(({ name }) => (address === null ? [] : { hwaddr: hardwareAddressOf(name), address, type: 'dynamic' }))

  function create(body: Omit<StandInInstance, 'status'> & { source: { alias?: string } }): Answer {
    if (/^\d/.test(body.name)) return refuse(400, 'Invalid instance name: Name must not start with a number')
    if (body.source.alias !== undefined && !aliases.has(body.source.alias)) return refuse(404, 'Image alias not found')
    if (instances.has(body.name))
      return started('Failed creating instance record: This "instances" entry already exists')
    instances.set(body.name, {
      ...body,
      config: { ...body.config, 'volatile.eth0.hwaddr': hardwareAddressOf(body.name) },
      status: 'Stopped',
      created_at: new Date().toISOString(),
      last_used_at: '1970-01-01T00:00:00Z',
    })
    return started('')
  }

  function power(instance: StandInInstance, { action, force }: { action: string; force: boolean }): Answer {
    const isRunning = instance.status === 'Running'
    switch (action) {
      case 'start':
        if (instance.status !== 'Stopped') return started('The instance is already running')
        Object.assign(instance, { status: 'Running', last_used_at: new Date().toISOString() })
        instance.config[LAST_POWER] = 'RUNNING'
        return started('')
      case 'unfreeze':
        instance.status = 'Running'
        return started('')
      case 'restart':
        return started(isRunning || force ? '' : "The container isn't running")
      default:
        if (instance.status === 'Stopped') return started('The instance is already stopped')
        if (!isRunning && !force) return started('Failed shutting down instance, status is "Frozen"')
        instance.status = 'Stopped'
        instance.config[LAST_POWER] = 'STOPPED'
        return started('')
    }
  }

  function execute(instance: StandInInstance): Answer {
    if (instance.status !== 'Running') return refuse(400, 'Instance is not running')
    const ended = new Promise<void>((resolve) => void (endInput = resolve))
    return started('', { fds: { 0: 'in', 1: 'out', 2: 'err', control: 'control' }, return: exitCode }, ended)
  }

  const resource = (
    map: Map<string, Record<string, unknown>>,
    name: string,
    title: string,
    method: string,
    body: object,
  ): Answer => {
    const found = map.get(name)
    if (found === undefined) return refuse(404, `${title} not found`)
    if (method === 'DELETE') {
      if (title === 'Network' && [...instances.values()].some(({ devices }) => JSON.stringify(devices).includes(name)))
        return refuse(400, 'The network is currently in use')
      map.delete(name)
      return sync({})
    }
    if (method === 'PUT') map.set(name, body as Record<string, unknown>)
    return sync(found)
  }

  function answer(method: string, url: URL, body: never): Answer {
    const [kind = '', name = '', part = ''] = url.pathname.split('/').slice(2)
    const known = url.searchParams.get('project') === project
    const failure = failures.findIndex(({ on }) => on.test(`${method} ${url.pathname}`))
    if (failure >= 0) {
      const [{ text, effect }] = failures.splice(failure, 1) as [Failure]
      effect?.()
      return started(text)
    }
    const instance = instances.get(name)
    switch (`${kind} ${part}`.trim()) {
      case '':
        return sync({
          auth: 'trusted',
          environment: {
            addresses: ['203.0.113.9:8443', '127.0.0.1:8443'],
            server_version: '5.0.2',
            driver: 'lxc',
            kernel_version: '6.1',
          },
        })
      case 'warnings':
        return state.restricted ? refuse(403, 'not authorized') : sync([])
      case 'storage-pools resources':
        return sync({ space: { used: state.usedPercent, total: 100 } })
      case 'projects':
        return name === project ? sync({ name, config: {} }) : refuse(404, 'Project not found')
      case 'operations':
        return sync({})
      case 'operations wait': {
        const done = operations.get(name)
        if (done === undefined) return refuse(404, 'Operation not found')
        const { ended: _ended, ...view } = done
        return sync({ id: name, ...view, status_code: done.err === '' ? 200 : 400 })
      }
      case 'instances':
        if (name === '' && method === 'GET') return sync(known ? [...instances.values()].map(viewOf) : [])
        if (name === '') return create(body)
        if (instance === undefined || !known) return refuse(404, 'Instance not found')
        if (method === 'GET') return sync(viewOf(instance))
        if (method === 'PATCH') {
          const { config = {}, ...rest } = body as { config?: Record<string, string> }
          Object.assign(instance, rest, { config: { ...instance.config, ...config } })
          return sync({})
        }
        if (instance.status === 'Running') return refuse(400, 'Instance is running')
        instances.delete(name)
        if (method === 'POST') {
          instance.name = (body as { name: string }).name
          instances.set(instance.name, instance)
        }
        return started('')
      case 'instances state': {
        if (instance === undefined) return refuse(404, 'Instance not found')
        if (method !== 'GET') return power(instance, body)
        const { network, ...rest } = viewOf(instance).state
        return sync({ ...rest, network: state.readsBeforeNetwork-- > 0 ? { lo: network!.lo } : network })
      }
      case 'instances exec':
        return instance === undefined ? refuse(404, 'Instance not found') : execute(instance)
      case 'images': {
        if (method === 'DELETE') {
          for (const [alias, target] of aliases) if (target === name) aliases.delete(alias)
          return started('')
        }
        const image = body as { source: { name: string }; aliases: [{ name: string }] }
        if (instances.get(image.source.name)?.status === 'Running')
          return started('Cannot export a running instance as an image')
        if (aliases.has(image.aliases[0].name)) return started('Alias already exists')
        aliases.set(image.aliases[0].name, randomUUID().replaceAll('-', ''))
        return started('')
      }
      case `images ${part}`: {
        const target = aliases.get(part)
        return target === undefined ? refuse(404, 'Image alias not found') : sync({ target })
      }
      case 'networks leases':
        return sync(leasesOf(name))
      case 'networks':
      case 'network-acls': {
        const [map, title] = kind === 'networks' ? ([networks, 'Network'] as const) : ([acls, 'Network ACL'] as const)
        if (name !== '') return resource(map, name, title, method, body)
        if (method === 'GET') return sync([...map.values()])
        const { name: created } = body as { name: string }
        if (map.has(created))
          return refuse(kind === 'networks' ? 409 : 400, `The ${title.toLowerCase()} already exists`)
        map.set(created, body)
        return sync(null, 201)
      }
      default:
        return refuse(404, 'not found')
    }
  }

  const server = createServer((request, response) => {
    void textOf(request).then(async (text) => {
      const url = new URL(request.url!, 'http://lxd')
      requests.push(`${request.method} ${url.pathname}`)
      const file = files.get(`${url.pathname.split('/')[3]}${url.searchParams.get('path')}`)
      if (url.pathname.endsWith('/files') && file !== undefined)
        return void response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(file)
      await operations.get(url.pathname.split('/')[3] ?? '')?.ended
      const { status, body } = answer(request.method!, url, (text === '' ? {} : JSON.parse(text)) as never)
      response.writeHead(status, { 'content-type': 'application/json', etag: '"1"' }).end(JSON.stringify(body))
    })
  })
  const sockets = new WebSocketServer({ server })
  const listeners = new Set<WebSocket>()
  sockets.on('connection', (socket, request) => {
    if (request.url!.startsWith('/1.0/events?type=lifecycle')) listeners.add(socket)
    if (!request.url!.endsWith('secret=in')) return
    socket.on('message', (data: Buffer, isBinary) => {
      const [user, password] = data.toString().trim().split(':')
      if (isBinary) passwords.set(user!, password!)
      else endInput()
    })
  })
  await new Promise<void>((resolve) => server.listen(path, resolve))
  return {
    path,
    instances,
    operations,
    networks,
    acls,
    aliases,
    passwords,
    files,
    failures,
    requests,
    state,
    /** Number of clients that listen to events. */
    listeners: () => listeners.size,
    emit(action: string, name: string, timestamp: string) {
      const metadata = { action, source: `/1.0/instances/${name}?project=default` }
      for (const each of listeners) each.send(JSON.stringify({ type: 'lifecycle', timestamp, metadata }))
    },
    /** Starts the machines that the daemon remembers as running, as it does after it was killed. */
    startAgain() {
      for (const instance of instances.values())
        if ((instance.config['boot.autostart'] ?? '') === '' && instance.config[LAST_POWER] === 'RUNNING')
          instance.status = 'Running'
    },
    setAddress: (value: string | null) => void (address = value),
    setExitCode: (code: number) => void (exitCode = code),
    async close() {
      for (const client of sockets.clients) client.terminate()
      sockets.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      rmSync(folder, { recursive: true })
    },
  }
}

/** Serves the replies of a recording: each request gets the next reply with its method and path. */
export async function replay(recording: URL) {
  const folder = mkdtempSync(join(tmpdir(), 'lxd-'))
  const path = join(folder, 'unix.socket')
  const replies = readFileSync(recording, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Recorded)
  const rest = [...replies]
  const server = createServer((request, response) => {
    const wanted = `${request.method} ${pathOf(request.url!)}`
    const index = rest.findIndex((each) => `${each.method} ${pathOf(each.path)}` === wanted)
    const [{ status, body }] = index < 0 ? [FORGOTTEN] : (rest.splice(index, 1) as [Recorded])
    request.resume()
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(path, resolve))
  return {
    path,
    replies,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      rmSync(folder, { recursive: true })
    },
  }
}

interface Recorded {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly status: number
  readonly body: {
    readonly type: string
    readonly error?: string
    readonly metadata?: { readonly err?: string } | null
  }
}

const pathOf = (url: string): string => new URL(url, 'http://lxd').pathname

/** Reply to a question about an operation that ended more than 5 s ago. */
const FORGOTTEN = {
  status: 404,
  body: { type: 'error', error_code: 404, error: 'Operation not found', metadata: null },
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}
