import { COMMANDS, COMMANDS_ELSEWHERE } from '@trainyard/modules/commands.ts'
import type { Config, Secrets } from '@trainyard/platform/server/config/config.ts'
import type { Command } from '@trainyard/platform/server/core/command.ts'
import { rejectArguments, WrongUsage } from './start/wrong-usage.ts'

type OwnCommand = (config: Config, secrets: Secrets, args: readonly string[]) => Promise<number>

const commands: Readonly<Record<string, OwnCommand>> = {
  async start(config, secrets) {
    const { start } = await import('./start/start.ts')
    return start(config, secrets, false)
  },
  async dev(config, secrets) {
    const { start } = await import('./start/start.ts')
    return start(config, secrets, true)
  },
  async api(config, secrets, args) {
    rejectArguments('api', args)
    const [{ buildApp, keyCheckOf }, { apiOf }, { runApi }, { startMeters }, { SERVER_MODULES }, { setUpAdvice }] =
      await Promise.all([
        import('./build-app.ts'),
        import('./compose.ts'),
        import('./api.ts'),
        import('@trainyard/platform/server/run/telemetry/start-meters.ts'),
        import('@trainyard/modules/server.ts'),
        import('@trainyard/users/server/set-up.ts'),
      ])
    for (const { load } of SERVER_MODULES) await load?.()
    restrictFileModes()
    const meters = await startMeters(config.metrics)
    const app = buildApp(config, secrets, meters)
    const checkKeys = keyCheckOf(app, logMessage)
    const prepare = async () => {
      await checkKeys()
      for (const line of await setUpAdvice(app.db, app.seal, config.http.publicUrl)) logMessage(line)
    }
    return runApi(apiOf(app), config.http, logMessage, prepare).catch(async (error) => {
      const { explainListenError } = await import('./start/ports.ts')
      throw explainListenError({ setting: 'PORT', ...config.http }, 'api', error)
    })
  },
  async worker(config, secrets, args) {
    rejectArguments('worker', args)
    const [{ buildApp, keyCheckOf }, { workerOf }, { runWorker }, { startMeters }] = await Promise.all([
      import('./build-app.ts'),
      import('./compose.ts'),
      import('./worker.ts'),
      import('@trainyard/platform/server/run/telemetry/start-meters.ts'),
    ])
    restrictFileModes()
    const meters = await startMeters(config.metrics)
    const app = buildApp(config, secrets, meters, 'worker')
    return runWorker(await workerOf(app), logMessage, keyCheckOf(app, logMessage))
  },
  async superadmin(config, secrets, [email, operation, ...extra]) {
    const operations = Object.keys(COMMANDS).flatMap((each) => /^superadmin (.+)/.exec(each)?.[1] ?? [])
    const usage = `npm run superadmin -- EMAIL ${operations.map((each) => `[${each}]`).join(' ')}`.trim()
    if (email === undefined) throw new WrongUsage(`Give an e-mail address. Usage: ${usage}`)
    const load = COMMANDS[`superadmin ${operation}`]
    const unknown = load === undefined ? operation : extra[0]
    if (unknown !== undefined) throw new WrongUsage(`Unknown argument ${unknown}. Usage: ${usage}`)
    const [{ buildApp }, { createSuperadmin }, { withExistingDatabase }, { migrateUnlessOlder }] = await Promise.all([
      import('./build-app.ts'),
      import('@trainyard/users/server/create-superadmin.ts'),
      import('./start/with-database.ts'),
      import('./start/upgrade.ts'),
    ])
    return withExistingDatabase(config, async () => {
      await migrateUnlessOlder(config, secrets, logMessage)
      if (load !== undefined) return runOfAddOn(load, config, secrets, [email])
      const { db, seal } = buildApp(config, secrets)
      try {
        const link = await createSuperadmin(db, seal, { email, publicUrl: config.http.publicUrl })
        process.stdout.write(`${email} can set a password with this link, once, within 7 days:\n${link}\n`)
        return 0
      } finally {
        await db.destroy()
      }
    })
  },
  async invariants(config, secrets, args) {
    const [{ connectAll }, { withConnection }, { readOnly }, { runInvariants }, { withExistingDatabase }] =
      await Promise.all([
        import('@trainyard/modules/server.ts'),
        import('@trainyard/platform/server/db/client.ts'),
        import('@trainyard/platform/server/doctor/settings.ts'),
        import('@trainyard/platform/server/invariants/command.ts'),
        import('./start/with-database.ts'),
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
    const [{ doctorOf }, { runDoctor }] = await Promise.all([
      import('./doctor.ts'),
      import('@trainyard/platform/server/doctor/doctor.ts'),
    ])
    return runDoctor(await doctorOf(config, secrets), args, {
      logMessage: (text) => void process.stdout.write(text),
      complain: logMessage,
    })
  },
  async live(config, secrets, args) {
    const [{ liveRunOf }, { runLive }, { readOptions }, { terminal }] = await Promise.all([
      import('./run-live.ts'),
      import('./live/live.ts'),
      import('./live/options.ts'),
      import('./live/terminal.ts'),
    ])
    const options = asWrongUsage(() => readOptions(args))
    const console = terminal(options.agreed)
    return runLive(await liveRunOf(config, secrets, options, console.logMessage), console)
  },
  async backup(config, secrets, args) {
    const { backupCommand } = await import('./start/backup-commands.ts')
    process.stdout.write(`${await backupCommand(config, secrets, args)}\n`)
    return 0
  },
  async restore(config, secrets, args) {
    const { restoreCommand } = await import('./start/backup-commands.ts')
    process.stdout.write(`${await restoreCommand(config, secrets, args)}\n`)
    return 0
  },
  async rotate(config, secrets, args) {
    const { rotateCommand } = await import('./start/rotate-command.ts')
    process.stdout.write(`${await rotateCommand(config, secrets, args)}\n`)
    return 0
  },
  async settings(_config, _secrets, args) {
    rejectArguments('settings', args)
    const { listSettings } = await import('@trainyard/platform/server/config/config.ts')
    for (const { name, value, source } of listSettings())
      process.stdout.write(`${name.padEnd(34)}  ${source.padEnd(11)}  ${value}\n`)
    return 0
  },
  async migrate(config, secrets, args) {
    rejectArguments('migrate', args)
    const [{ withDatabase }, { migrateUnlessOlder }] = await Promise.all([
      import('./start/with-database.ts'),
      import('./start/upgrade.ts'),
    ])
    const done = await withDatabase(config, () => migrateUnlessOlder(config, secrets, logMessage))
    process.stdout.write(`${done}\n`)
    return 0
  },
  async upgrade(config, secrets, args) {
    const { upgradeCommand } = await import('./start/upgrade.ts')
    process.stdout.write(`${await upgradeCommand(config, secrets, args)}\n`)
    return 0
  },
}

async function runOfAddOn(load: () => Promise<Command>, config: Config, secrets: Secrets, args: readonly string[]) {
  const [command, { connectAll }, { withConnection }, { withExistingDatabase }] = await Promise.all([
    load(),
    import('@trainyard/modules/server.ts'),
    import('@trainyard/platform/server/db/client.ts'),
    import('./start/with-database.ts'),
  ])
  restrictFileModes()
  connectAll()
  const urls = { app: secrets.databaseUrl, owner: secrets.ownerUrl ?? secrets.databaseUrl }
  return command({
    config,
    secrets,
    args,
    print: (line) => void process.stdout.write(`${line}\n`),
    printError: logMessage,
    withDb: (as, work) =>
      withExistingDatabase(config, () => withConnection({ connectionString: urls[as] }, { size: 2, as }, work)),
  })
}

const logMessage = (sentence: string): void => void process.stderr.write(`${sentence}\n`)

const restrictFileModes = (): void => void process.umask(0o077)

/** Options of `npm start` and `npm run dev`, and the settings for which they stand. */
const OPTIONS = {
  '--world': { setting: 'EMULATOR_WORLD', values: ['open', 'corporate'], named: 'world' },
  '--provider': { setting: 'DEMO_PROVIDER', values: ['lxd'], named: 'provider' },
} as const

const isOption = (name: string): name is keyof typeof OPTIONS => name in OPTIONS

/** Returns the setting that the command line selects; none without arguments. */
function settingIn(part: string, args: readonly string[]): Readonly<Record<string, string>> {
  if (args.length === 0) return {}
  const options = Object.entries(OPTIONS).map(([name, { values }]) => `${name} ${values.join('|')}`)
  const usage = `npm run ${part} [-- ${options.join(' or ')}]`
  const [option = '', name, ...extra] = args.flatMap((each) => each.split('=', 2))
  if (!isOption(option)) throw new WrongUsage(`${part} does not accept ${option}. Usage: ${usage}`)
  const { setting, values, named } = OPTIONS[option]
  const value = values.find((each) => each === name)
  if (value === undefined || extra.length > 0) throw new WrongUsage(`Name one ${named}. Usage: ${usage}`)
  return { [setting]: value }
}

function asWrongUsage<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new WrongUsage((error as Error).message, { cause: error })
  }
}

/** Runs the command named by the first argument and exits. Each command loads only the code that it needs. */
export async function runCommand([name = 'start', ...args]: readonly string[]): Promise<never> {
  const ofAddOn = COMMANDS[name]
  const elsewhere = COMMANDS_ELSEWHERE[name]
  const command: OwnCommand | undefined =
    ofAddOn === undefined ? commands[name] : (config, secrets, given) => runOfAddOn(ofAddOn, config, secrets, given)
  try {
    if (elsewhere !== undefined) {
      rejectArguments(name, args)
      const run = await elsewhere()
      restrictFileModes()
      process.exit(await run(logMessage))
    }
    if (command === undefined) {
      const all = [commands, COMMANDS, COMMANDS_ELSEWHERE].flatMap(Object.keys)
      logMessage(`Unknown command: ${name}. Commands: ${all.filter((each) => !each.includes(' ')).join(', ')}.`)
      process.exit(2)
    }
    const selected = name === 'start' || name === 'dev' ? settingIn(name, args) : {}
    const [{ readConfig, environmentWith }, { connectAllSettings }] = await Promise.all([
      import('@trainyard/platform/server/config/config.ts'),
      import('@trainyard/modules/settings.ts'),
    ])
    connectAllSettings()
    const { config, secrets } = readConfig(environmentWith(selected), { forRestore: name === 'restore' })
    process.exit(await command(config, secrets, args))
  } catch (error) {
    const { messageOf } = await import('./start/error-message.ts')
    process.stderr.write(`${messageOf(error)}\n`)
    process.exit(error instanceof WrongUsage ? 2 : 1)
  }
}
