export type TypedResult = { readonly kind: 'line'; readonly text: string } | { readonly kind: 'interrupt' | 'end' }

const MAX_CHARACTERS = 4_096

const KEYS: Readonly<Record<string, string>> = {
  '[A': 'up',
  OA: 'up',
  '[B': 'down',
  OB: 'down',
  '[C': 'right',
  OC: 'right',
  '[D': 'left',
  OD: 'left',
  '[H': 'home',
  OH: 'home',
  '[1~': 'home',
  '[F': 'end',
  OF: 'end',
  '[4~': 'end',
  '[3~': 'delete',
}

/** Line editing with echo, arrow keys, history and the usual control keys. */
export class LineEditor {
  readonly #write: (text: string) => void
  readonly #history: readonly string[]
  columns = 80
  #prompt = ''
  #text: string[] = []
  #cursor = 0
  #historyIndex = 0
  #draft: string[] = []
  #escape = ''

  constructor(write: (text: string) => void, history: readonly string[]) {
    this.#write = write
    this.#history = history
  }

  startLine(prompt: string): void {
    this.#prompt = prompt
    this.#text = []
    this.#cursor = 0
    this.#historyIndex = this.#history.length
    this.#write(prompt)
  }

  feed(input: string, typed: (result: TypedResult) => void): void {
    for (const character of input) {
      if (this.#escape !== '' || character === '\x1b') this.#escaped(character)
      else this.#key(character, typed)
    }
  }

  #escaped(character: string): void {
    this.#escape += character
    const sequence = this.#escape.slice(1)
    if (sequence === '' || sequence === '[' || sequence === 'O' || /^\[[\d;]*$/.test(sequence)) return
    this.#escape = ''
    const key = KEYS[sequence]
    if (key === 'up') this.#recall(-1)
    else if (key === 'down') this.#recall(1)
    else if (key === 'left') this.#move(this.#cursor - 1)
    else if (key === 'right') this.#move(this.#cursor + 1)
    else if (key === 'home') this.#move(0)
    else if (key === 'end') this.#move(this.#text.length)
    else if (key === 'delete') this.#replace(this.#cursor, 1, [])
  }

  #key(character: string, typed: (result: TypedResult) => void): void {
    switch (character) {
      case '\r':
      case '\n': {
        const text = this.#text.join('')
        this.#move(this.#text.length)
        this.#write('\r\n')
        this.#text = []
        this.#cursor = 0
        typed({ kind: 'line', text })
        return
      }
      case '\x03':
        this.#write('^C\r\n')
        typed({ kind: 'interrupt' })
        return
      case '\x04':
        if (this.#text.length === 0) typed({ kind: 'end' })
        else this.#replace(this.#cursor, 1, [])
        return
      case '\x0c':
        this.#write('\x1b[H\x1b[2J\x1b[3J')
        this.#show(this.#cursor)
        return
      case '\x7f':
      case '\b':
        if (this.#cursor > 0) this.#replace(this.#cursor - 1, 1, [])
        return
      case '\x01':
        this.#move(0)
        return
      case '\x05':
        this.#move(this.#text.length)
        return
      case '\x15':
        this.#replace(0, this.#cursor, [])
        return
      case '\x0b':
        this.#replace(this.#cursor, this.#text.length, [])
        return
      case '\x17': {
        const before = this.#text.slice(0, this.#cursor).join('')
        const wordLength = /\S*\s*$/.exec(before)?.[0].length ?? 0
        this.#replace(this.#cursor - wordLength, wordLength, [])
        return
      }
      default:
        // Tab completion and other control keys are not supported.
        if (character < ' ' || this.#text.length >= MAX_CHARACTERS) return
        this.#insert(character)
    }
  }

  #insert(character: string): void {
    if (this.#cursor === this.#text.length) {
      this.#text.push(character)
      this.#cursor += 1
      this.#write(character)
      // A terminal delays the wrap at the right edge. Wrap now, so that rows can be counted.
      if ((this.#prompt.length + this.#cursor) % this.columns === 0) this.#write('\r\n')
    } else this.#replace(this.#cursor, 0, [character])
  }

  #recall(step: number): void {
    const target = this.#historyIndex + step
    if (target < 0 || target > this.#history.length) return
    if (this.#historyIndex === this.#history.length) this.#draft = this.#text
    this.#historyIndex = target
    const text = target === this.#history.length ? this.#draft : [...this.#history[target]!]
    this.#backToStart()
    this.#text = [...text]
    this.#show(this.#text.length)
  }

  #replace(from: number, count: number, replacement: readonly string[]): void {
    this.#backToStart()
    this.#text.splice(from, count, ...replacement)
    this.#show(from + replacement.length)
  }

  #move(to: number): void {
    if (to < 0 || to > this.#text.length || to === this.#cursor) return
    this.#backToStart()
    this.#show(to)
  }

  #backToStart(): void {
    const rows = Math.floor((this.#prompt.length + this.#cursor) / this.columns)
    this.#write(`${rows > 0 ? `\x1b[${rows}A` : ''}\r\x1b[J`)
  }

  #show(cursor: number): void {
    const end = this.#prompt.length + this.#text.length
    const cell = this.#prompt.length + cursor
    const edge = end % this.columns === 0 && end > 0 ? '\r\n' : ''
    const up = Math.floor(end / this.columns) - Math.floor(cell / this.columns)
    const right = cell % this.columns
    this.#write(
      `${this.#prompt}${this.#text.join('')}${edge}${up > 0 ? `\x1b[${up}A` : ''}\r${right > 0 ? `\x1b[${right}C` : ''}`,
    )
    this.#cursor = cursor
  }
}
