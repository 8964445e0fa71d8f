import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

export interface Stream {
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
  write(text: string): unknown
}

interface OutputOptions {
  readonly stdout: Stream
  readonly stderr: Stream
  readonly env: Readonly<Record<string, string | undefined>>
}

export interface Column<Row> {
  readonly title: string
  readonly value: (row: Row) => string
  readonly alignRight?: true
}

/** Minimum width of a shortened last column, in characters. */
const SHORTEST_COLUMN = 12

/** Writes results to stdout, and messages, progress and errors to stderr. */
export class Output {
  readonly #stdout: Stream
  readonly #stderr: Stream
  readonly #env: OutputOptions['env']
  json = false
  color = true
  #progress = ''

  constructor({ stdout, stderr, env }: OutputOptions) {
    this.#stdout = stdout
    this.#stderr = stderr
    this.#env = env
  }

  get isInteractive(): boolean {
    return this.#stderr.isTTY === true
  }

  /** Writes the data as JSON if the user chose JSON, otherwise the text. */
  result(data: unknown, text: string): void {
    this.#stdout.write(this.json ? `${JSON.stringify(data, null, 2)}\n` : text === '' ? '' : `${printable(text)}\n`)
  }

  /** Writes the data as JSON if the user chose JSON, otherwise the rows as a table. */
  table<Row>(data: unknown, rows: readonly Row[], columns: readonly Column<Row>[], empty: string): void {
    if (this.json) return this.result(data, '')
    if (rows.length === 0) return this.note(empty)
    const cells = rows.map((row) => columns.map(({ value }) => oneLine(value(row))))
    const widths = columns.map(({ title }, i) => Math.max(title.length, ...cells.map((row) => row[i]!.length)))
    const last = widths.length - 1
    const remainingWidth =
      (this.#stdout.columns ?? Infinity) - widths.slice(0, last).reduce((sum, width) => sum + width + 2, 0)
    // On a terminal the last column is shortened, so that each row is one line.
    widths[last] = Math.min(widths[last]!, Math.max(remainingWidth, SHORTEST_COLUMN))
    const line = (row: readonly string[]) =>
      row
        .map((text, i) => (text.length > widths[i]! ? `${text.slice(0, widths[i]! - 1)}…` : text))
        .map((text, i) => (columns[i]!.alignRight === true ? text.padStart(widths[i]!) : text.padEnd(widths[i]!)))
        .join('  ')
        .trimEnd()
    this.#stdout.write(`${this.style('bold', line(columns.map(({ title }) => title.toUpperCase())), this.#stdout)}\n`)
    for (const row of cells) this.#stdout.write(`${line(row)}\n`)
  }

  /** Writes a message to stderr. */
  note(text: string): void {
    this.#clear()
    this.#stderr.write(`${printable(text)}\n`)
  }

  error(message: string, facts: { readonly hint?: string | undefined; readonly [name: string]: unknown }): void {
    this.#clear()
    if (this.json) {
      this.#stderr.write(`${JSON.stringify({ error: { message, ...facts } })}\n`)
      return
    }
    this.#stderr.write(`${this.style('red', 'Error:', this.#stderr)} ${printable(message)}\n`)
    if (facts.hint !== undefined) this.#stderr.write(`${printable(facts.hint)}\n`)
    if (typeof facts['requestId'] === 'string') this.#stderr.write(`Request: ${printable(facts['requestId'])}\n`)
  }

  /** Shows a bar on a terminal. Elsewhere writes a line each time the text changes. */
  progress(done: number, total: number, text: string): void {
    const progressText = `${done} of ${total} ${text}`
    if (progressText === this.#progress || this.json) return
    if (!this.isInteractive) this.#stderr.write(`${printable(progressText)}\n`)
    else {
      const width = 24
      const filled = total === 0 ? width : Math.round((done / total) * width)
      this.#stderr.write(`\r\u001b[K[${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${printable(progressText)}`)
    }
    this.#progress = progressText
  }

  style(style: Style, text: string, stream: Stream = this.#stdout): string {
    const disabled = (this.#env['NO_COLOR'] ?? '') !== '' || this.#env['TERM'] === 'dumb' || stream.isTTY !== true
    return disabled || !this.color ? text : styleText(style, text, { validateStream: false })
  }

  #clear(): void {
    if (this.#progress !== '' && this.isInteractive) this.#stderr.write('\r\u001b[K')
    this.#progress = ''
  }
}

/** Removes control characters, so that the text of another user cannot move the cursor or hide text on a terminal. */
const printable = (text: string): string => text.replaceAll(/[^\P{Cc}\n]/gu, '')

const oneLine = (text: string): string => printable(text).replaceAll('\n', ' ')
