import { once } from 'node:events'
import type { Config, Secrets } from '../config.ts'
import { rejectArguments, WrongUsage } from '../start/wrong-usage.ts'

/** With the argument `wait` a process loads its code and waits for the supervisor's message. */
type Command = (config: Config, secrets: Secrets, args: readonly string[]) => Promise<number>

const commands: Readonly<Record<string, Command>> = {
  async start(config, secrets, args) {
    const world = worldIn('start', args)
    const { start } = await import('../start/start.ts')
    return start(inWorld(config, world), secrets, false)
  },
  async dev(config, secrets, args) {
    const world = worldIn('dev', args)
    const { start } = await import('../start/start.ts')
    return start(inWorld(config, world), secrets, true)
  },
  async api(config, secrets, args) {
    const waits = args[0] === 'wait'
    rejectArguments('api', waits ? args.slice(1) : args)
    const [{ buildApp, keyCheckOf }, { apiOf }, { runApi }, { startMeters }, { loadPasskeys }] = await Promise.all([
      import('./build-app.ts'),
      import('./compose.ts'),
      import('./api.ts'),
      import('../telemetry/start-meters.ts'),
      import('../domain/people/second-factor/passkey.ts'),
    ])
    // Load the library here, so that the first user with a passkey does not wait and a damaged package is detected at
    // start.
    await loadPasskeys()
    restrictFileModes()
    if (waits) await once(process, 'message')
    const meters = await startMeters(config.metrics)
    const app = buildApp(config, secrets, meters)
    return runApi(apiOf(app), config.http, logMessage, keyCheckOf(app, logMessage)).catch(async (error) => {
      const { explainListenError } = await import('../start/ports.ts')
      throw explainListenError({ setting: 'PORT', ...config.http }, 'api', error)
    })
  },
  async worker(config, secrets, args) {
    const waits = args[0] === 'wait'
    rejectArguments('worker', waits ? args.slice(1) : args)
    const [{ buildApp, keyCheckOf }, { workerOf }, { runWorker }, { startMeters }] = await Promise.all([
      import('./build-app.ts'),
      import('./compose.ts'),
      import('./worker.ts'),
      import('../telemetry/start-meters.ts'),
    ])
    restrictFileModes()
    if (waits) await once(process, 'message')
    const meters = await startMeters(config.metrics)
    const app = buildApp(config, secrets, meters, 'worker')
    return runWorker(await workerOf(app), logMessage, keyCheckOf(app, logMessage))
  },
  async superadmin(config, secrets, [email, operation, ...extra]) {
    const usage = 'npm run superadmin -- EMAIL [reset-second-factor]'
    if (email === undefined) throw new WrongUsage(`Give an e-mail address. Usage: ${usage}`)
    const unknown = operation === 'reset-second-factor' ? extra[0] : operation
    if (unknown !== undefined) throw new WrongUsage(`Unknown argument ${unknown}. Usage: ${usage}`)
    const [{ buildApp }, { resetByOperator }, { createSuperadmin }, { withExistingDatabase }, { migrateDatabase }] =
      await Promise.all([
        import('./build-app.ts'),
        import('../domain/people/second-factor/reset.ts'),
        import('../domain/people/user/create-superadmin.ts'),
        import('../start/with-database.ts'),
        import('../start/migrate-database.ts'),
      ])
    return withExistingDatabase(config, async () => {
      await migrateDatabase(secrets)
      const app = buildApp(config, secrets)
      const { db, seal } = app
      try {
        if (operation !== undefined) {
          const { jobQueueOf } = await import('./jobs.ts')
          await resetByOperator(db, jobQueueOf(app), email)
          process.stdout.write(`The second factors of ${email} were removed and their sessions ended.\n`)
          return 0
        }
        const link = await createSuperadmin(db, seal, { email, publicUrl: config.http.publicUrl })
        process.stdout.write(`${email} can set a password with this link, once, within 7 days:\n${link}\n`)
        return 0
      } finally {
        await db.destroy()
      }
    })
  },
  async audit(config, secrets, args) {
    const [{ auditKeysOf }, { ConfigError }, { withConnection }, { runAudit }, { withExistingDatabase }] =
      await Promise.all([
        import('../domain/audit/keys.ts'),
        import('../core/errors.ts'),
        import('../db/client.ts'),
        import('../domain/audit/command.ts'),
        import('../start/with-database.ts'),
      ])
    restrictFileModes()
    const urls = { app: secrets.databaseUrl, owner: secrets.ownerUrl }
    return runAudit(
      {
        ...auditKeysOf(config, secrets),
        folder: config.audit.archiveDir,
        retentionDays: config.audit.retentionDays,
        withDb: (as, work) =>
          withExistingDatabase(config, async () => {
            if (urls[as] === null)
              throw new ConfigError('DATABASE_URL must be set: only the database owner may delete audit rows.')
            return withConnection({ connectionString: urls[as] }, { size: 2, as }, work)
          }),
        print: (line) => void process.stdout.write(`${line}\n`),
        printError: logMessage,
      },
      args,
    )
  },
  async invariants(config, secrets, args) {
    const [{ connectAll }, { withConnection }, { readOnly }, { runInvariants }, { withExistingDatabase }] =
      await Promise.all([
        import('../../../apps/modules/server.ts'),
        import('../db/client.ts'),
        import('../doctor/settings.ts'),
        import('../invariants/command.ts'),
        import('../start/with-database.ts'),
      ])
    connectAll()
    return runInvariants(
      {
        withDb: (work) =>
          withExistingDatabase(config, () =>
            withConnection({ connectionString: readOnly(secrets.databaseUrl) }, { size: 1, as: 'app' }, work),
          ),
        print: (line) => void process.stdout.write(`${line}\n`),
        printError: logMessage,
      },
      args,
    )
  },
  async doctor(config, secrets, args) {
    const [{ doctorOf }, { runDoctor }] = await Promise.all([import('./doctor.ts'), import('../doctor/doctor.ts')])
    return runDoctor(await doctorOf(config, secrets), args, {
      logMessage: (text) => void process.stdout.write(text),
      complain: logMessage,
    })
  },
  async live(config, secrets, args) {
    const [{ liveRunOf }, { runLive }, { readOptions }, { terminal }] = await Promise.all([
      import('./live.ts'),
      import('../live/live.ts'),
      import('../live/options.ts'),
      import('../live/terminal.ts'),
    ])
    const options = asWrongUsage(() => readOptions(args))
    const console = terminal(options.agreed)
    return runLive(await liveRunOf(config, secrets, options, console.logMessage), console)
  },
  async backup(config, secrets, args) {
    const { backupCommand } = await import('../start/backup-commands.ts')
    process.stdout.write(`${await backupCommand(config, secrets, args)}\n`)
    return 0
  },
  async restore(config, secrets, args) {
    const { restoreCommand } = await import('../start/backup-commands.ts')
    process.stdout.write(`${await restoreCommand(config, secrets, args)}\n`)
    return 0
  },
  async rotate(config, secrets, args) {
    const { rotateCommand } = await import('../start/rotate-command.ts')
    process.stdout.write(`${await rotateCommand(config, secrets, args)}\n`)
    return 0
  },
  async migrate(config, secrets, args) {
    rejectArguments('migrate', args)
    const [{ withDatabase }, { migrateDatabase }] = await Promise.all([
      import('../start/with-database.ts'),
      import('../start/migrate-database.ts'),
    ])
    await withDatabase(config, () => migrateDatabase(secrets))
    process.stdout.write('The database schema is up to date.\n')
    return 0
  },
}

/** Runs inside a customer's network, without the portal's database and keys. */
async function gateway(args: readonly string[]): Promise<number> {
  rejectArguments('gateway', args)
  const [{ readGatewayConfig }, { runAgent }] = await Promise.all([
    import('../gateway/config.ts'),
    import('../gateway/agent.ts'),
  ])
  restrictFileModes()
  const stopping = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopping.abort())
  await runAgent(readGatewayConfig(), { logMessage }, stopping.signal)
  return 0
}

const logMessage = (sentence: string): void => void process.stderr.write(`${sentence}\n`)

/**
 * The supervisor does not call this function, because it builds the web app, and other users may serve the built files.
 */
const restrictFileModes = (): void => void process.umask(0o077)

const WORLDS = ['open', 'corporate'] as const

/** Returns the emulated subscription that `--world NAME` selects; null without the option. */
function worldIn(part: string, args: readonly string[]): Config['emulator']['world'] {
  if (args.length === 0) return null
  const usage = `npm run ${part} [-- --world ${WORLDS.join('|')}]`
  const [option = '', name, ...extra] = args.flatMap((each) => each.split('=', 2))
  if (option !== '--world') throw new WrongUsage(`${part} does not accept ${option}. Usage: ${usage}`)
  const world = WORLDS.find((each) => each === name)
  if (world === undefined || extra.length > 0) throw new WrongUsage(`Name one world. Usage: ${usage}`)
  return world
}

const inWorld = (config: Config, world: Config['emulator']['world']): Config =>
  world === null ? config : { ...config, emulator: { ...config.emulator, world } }

function asWrongUsage<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new WrongUsage((error as Error).message, { cause: error })
  }
}

/** Runs the command named by the first argument and exits. Each command loads only the code that it needs. */
export async function runCommand([name = 'start', ...args]: readonly string[]): Promise<never> {
  const command = commands[name]
  if (command === undefined && name !== 'gateway') {
    logMessage(`Unknown command: ${name}. Commands: ${[...Object.keys(commands), 'gateway'].join(', ')}.`)
    process.exit(2)
  }
  try {
    if (command === undefined) process.exit(await gateway(args))
    const [{ readConfig }, { connectAllSettings }] = await Promise.all([
      import('../config.ts'),
      import('../../../apps/modules/settings.ts'),
    ])
    connectAllSettings()
    const { config, secrets } = readConfig(undefined, { forRestore: name === 'restore' })
    process.exit(await command(config, secrets, args))
  } catch (error) {
    const { messageOf } = await import('../start/error-message.ts')
    process.stderr.write(`${messageOf(error)}\n`)
    process.exit(error instanceof WrongUsage ? 2 : 1)
  }
}
