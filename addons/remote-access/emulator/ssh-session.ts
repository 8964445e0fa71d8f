import type { ServerChannel, Session } from 'ssh2'
import type { Computer } from './shell/computer.ts'
import { serveSftp } from './sftp.ts'
import { Interpreter, type RunResult } from './shell/interpreter.ts'
import { LineEditor } from './shell/line-editor.ts'

const MAX_COLUMNS = 1_000

export function serveSession(session: Session, computer: Computer): void {
  const interpreter = new Interpreter(computer)
  let editor: LineEditor | null = null
  const measure = (columns: number) => {
    interpreter.columns = Math.min(MAX_COLUMNS, Math.max(1, columns || 80))
    if (editor !== null) editor.columns = interpreter.columns
  }
  session.on('pty', (accept, _reject, { cols }) => {
    measure(cols)
    accept?.()
  })
  session.on('window-change', (accept, _reject, { cols }) => {
    measure(cols)
    accept?.()
  })
  session.on('shell', (accept) => {
    const channel = accept()
    const shell = openShell(channel, interpreter)
    editor = shell
  })
  session.on('sftp', (accept) => serveSftp(accept(), computer))
  session.on('exec', (accept, _reject, { command }) => {
    const channel = accept()
    const answer = ({ out, err, code, effect }: RunResult) => {
      channel.write(out)
      channel.stderr.write(err)
      channel.exit(code)
      channel.end()
      if (effect === 'halt') computer.halt()
    }
    const args = FROM_INPUT.exec(command)?.groups!['args']
    if (args === undefined) return answer(interpreter.run(command))
    let script = ''
    channel.setEncoding('utf8')
    channel.on('data', (text: string) => {
      if (script.length < MAX_SCRIPT) script += text
    })
    channel.on('end', () => {
      answer(interpreter.runScript(script, wordsOf(args)))
    })
  })
}

/** A script on standard input, in the environment that `env` sets and for at most the time of `timeout`. */
const FROM_INPUT =
  /^\/usr\/bin\/env -i (?:[A-Z_]+=\S+ )+\/usr\/bin\/timeout (?:-k )?[\d ]+ \/bin\/(?:ba)?sh -s --(?<args>.*)$/s
const MAX_SCRIPT = 256 * 1024

/** Returns arguments in single quotes. */
const wordsOf = (args: string): string[] =>
  [...args.matchAll(/ '((?:[^']|'\\'')*)'/g)].map(([, word]) => word!.replaceAll("'\\''", "'"))

function openShell(channel: ServerChannel, interpreter: Interpreter): LineEditor {
  // Output for one packet of input is sent in one packet, so that pasted text is not echoed character by character.
  let unsent = ''
  const write = (text: string) => {
    unsent += text
  }
  const send = () => {
    if (unsent !== '' && channel.writable) channel.write(unsent)
    unsent = ''
  }
  const editor = new LineEditor(write, interpreter.history)
  editor.columns = interpreter.columns
  const exit = (code: number) => {
    send()
    channel.exit(code)
    channel.end()
  }
  write(
    `Welcome to ${interpreter.computer.facts.name}. This machine is emulated. Type help for a list of commands.\r\n`,
  )
  editor.startLine(interpreter.prompt)
  send()
  channel.setEncoding('utf8')
  channel.on('data', (input: string) => {
    editor.feed(input, (typed) => {
      if (!channel.writable) return
      if (typed.kind === 'end') {
        write('logout\r\n')
        exit(0)
        return
      }
      if (typed.kind === 'line') {
        interpreter.remember(typed.text)
        const { out, err, code, effect } = interpreter.run(typed.text)
        write((out + err).replaceAll('\n', '\r\n'))
        if (effect === 'exit') return exit(code)
        if (effect === 'halt') return interpreter.computer.halt()
      }
      editor.startLine(interpreter.prompt)
    })
    send()
  })
  return editor
}
