import type { Size } from '../../providers/shell.ts'

/** Output kept as it came, before it is read: a terminal that is not watched costs little more than this. */
const UNREAD_BYTES = 64 * 1024
/** Output is copied into blocks: what came from the wire holds far more memory than its own bytes. */
const BLOCK_BYTES = 8 * 1024
/** Bytes a second that all terminals of a process may have read for them in advance, and at once. */
const READ_PER_SECOND = 512 * 1024
const READ_AT_ONCE = 1024 * 1024
/** The largest screen, in cells, that is kept: one of a learner's making must not cost megabytes. */
const CELLS_MOST = 60_000
/** Leaves an escape sequence that was cut. */
const CANCEL = '\x18'

export interface Snapshot {
  readonly size: Size
  /** Draws the screen on an empty terminal of that size. */
  readonly text: string
}

interface Block {
  readonly bytes: Buffer
  used: number
}

export type MakeScreenModel = (size: Size) => ScreenModel

/** The present screen of a terminal, for whoever comes to watch. */
export interface ScreenModel {
  printed(bytes: Buffer): void
  resized(size: Size): void
  /** Calls `then` with the screen after all that was printed until now, and before anything that comes later. */
  snapshot(then: (snapshot: Snapshot) => void): void
  close(): void
}

/**
 * Loaded with the first terminal. Output is read late: what is older than the last 64 kB, within a budget of the whole
 * process, so that floods cost it nothing. Of a flood the end alone is kept: the screen is right again once it was
 * drawn anew.
 */
export async function loadScreenModels(): Promise<MakeScreenModel> {
  const [{ default: xterm }, { default: addon }] = await Promise.all([
    import('@xterm/headless'),
    import('@xterm/addon-serialize'),
  ])
  const mayRead = budget()

  return (first) => {
    let unread: (Block | Size)[] = []
    let blocks = 0
    let last = first
    const make = () => {
      const terminal = new xterm.Terminal({ ...sized(last), scrollback: 0, allowProposedApi: true })
      const serializer = new addon.SerializeAddon()
      terminal.loadAddon(serializer)
      return { terminal, serializer }
    }
    let made: ReturnType<typeof make> | null = null

    const read = () => {
      made ??= make()
      const { terminal } = made
      for (const each of unread) {
        if ('bytes' in each) terminal.write(each.bytes.subarray(0, each.used))
        // After what was written before it.
        else terminal.write('', () => terminal.resize(each.columns, each.rows))
      }
      unread = []
      blocks = 0
      return made
    }
    const forget = () => {
      const kept = unread.filter((each) => 'bytes' in each).slice(-UNREAD_BYTES / BLOCK_BYTES)
      unread = [last, { bytes: Buffer.from(CANCEL), used: CANCEL.length }, ...kept]
      blocks = kept.length
    }
    return {
      printed(more) {
        for (let rest = more; rest.length > 0;) {
          let block = unread.at(-1)
          if (block === undefined || !('bytes' in block) || block.used === block.bytes.length) {
            block = { bytes: Buffer.allocUnsafeSlow(BLOCK_BYTES), used: 0 }
            unread.push(block)
            blocks += 1
          }
          const copied = rest.copy(block.bytes, block.used)
          block.used += copied
          rest = rest.subarray(copied)
        }
        const held = blocks * BLOCK_BYTES
        if (held <= 2 * UNREAD_BYTES) return
        if (last.columns * last.rows <= CELLS_MOST && mayRead(held)) read()
        else forget()
      },
      resized(size) {
        last = size
        // Windows are dragged: of sizes between which nothing was printed the last one counts.
        const before = unread.at(-1)
        if (before !== undefined && !('bytes' in before)) unread.pop()
        unread.push(size)
      },
      snapshot(then) {
        const { terminal, serializer } = read()
        terminal.write('', () =>
          then({
            size: { columns: terminal.cols, rows: terminal.rows },
            text: serializer.serialize({ scrollback: 0 }),
          }),
        )
      },
      close: () => made?.terminal.dispose(),
    }
  }
}

const sized = ({ columns, rows }: Size) => ({ cols: columns, rows })

/** Returns what takes so many bytes out of a budget that fills with time, and answers whether they were in it. */
function budget(): (bytes: number) => boolean {
  let left = READ_AT_ONCE
  let at = performance.now()
  return (bytes) => {
    const now = performance.now()
    left = Math.min(READ_AT_ONCE, left + ((now - at) / 1000) * READ_PER_SECOND)
    at = now
    if (bytes > left) return false
    left -= bytes
    return true
  }
}
