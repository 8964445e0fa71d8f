import type { Command } from 'commander'
import { clientOf, dataOf } from '../api/client.ts'
import { portalUrl, removeConfig, writeConfig } from '../config.ts'
import { EXIT, Failure } from '../failure.ts'
import type { Output } from '../output.ts'
import type { GlobalOptions, Io, Register } from '../command-context.ts'

export const registerWhoami: Register = (program, inContext) => {
  program
    .command('whoami')
    .description('Show the user, the organisation and the scopes of the API key')
    .action(
      inContext(async (context) => {
        const key = await context.key()
        context.out.result(
          { url: context.connection.url, ...key },
          [
            `Portal        ${context.connection.url}`,
            `User          ${key.email} (${key.userType})`,
            `Organisation  ${key.organization ?? 'none'}`,
            `Key           ${key.name}, until ${key.expires.slice(0, 10)}`,
            `Scopes        ${key.scopes.join(' ')}`,
          ].join('\n'),
        )
      }),
    )
}

export function registerLogin(program: Command, io: Io, out: Output): void {
  program
    .command('login')
    .description('Store the URL of a portal and an API key')
    .addHelpText('after', '\nThe key is read from the terminal, or from standard input.')
    .action(async (_options, command: Command) => {
      const { url } = command.optsWithGlobals<GlobalOptions>()
      await logIn(io, out, url)
    })
  program
    .command('logout')
    .description('Delete the stored API key from this computer. The key stays valid until it is revoked')
    .action(() => {
      removeConfig(io.env)
      out.note('The stored API key was deleted. Revoke it on the page API Keys of the portal if you no longer need it.')
    })
}

async function logIn(io: Io, out: Output, option: string | undefined): Promise<void> {
  const urlText = option ?? io.env['TRAINYARD_URL'] ?? (await prompt(io, 'URL of the portal: ', false))
  const url = portalUrl(urlText)
  if (io.stdin.isTTY === true) out.note(`Create an API key at ${url}/admin/keys, then paste it here.`)
  const key = await prompt(io, 'API key: ', true)
  const self = await dataOf(clientOf({ url, key }, io.fetch).GET('/api/user/key'))
  const file = writeConfig(io.env, { url, key })
  out.note(`Logged in to ${url} as ${self.email}. The key is stored in ${file}.`)
  out.result({ url, email: self.email, organization: self.organization, scopes: self.scopes }, '')
}

/** Reads a line from standard input. Does not echo a secret on a terminal. */
async function prompt(io: Io, question: string, isSecret: boolean): Promise<string> {
  const { createInterface } = await import('node:readline')
  const { Writable } = await import('node:stream')
  const isTerminal = io.stdin.isTTY === true
  if (isTerminal) io.stderr.write(question)
  const noOutput = new Writable({ write: (_chunk, _encoding, done) => done() })
  const output = isTerminal && !isSecret ? process.stderr : noOutput
  const lines = createInterface({ input: io.stdin, output, terminal: isTerminal })
  try {
    const line = await new Promise<string>((resolve) => {
      lines.once('line', resolve)
      lines.once('close', () => resolve(''))
      lines.once('SIGINT', () => lines.close())
    })
    if (line.trim() === '') {
      throw new Failure(EXIT.usage, isSecret ? 'No API key was given.' : 'No URL was given.', {
        hint: 'Run trainyard login --url <url>, and give the key on standard input or the terminal.',
      })
    }
    return line.trim()
  } finally {
    lines.close()
    if (isTerminal && isSecret) io.stderr.write('\n')
  }
}
