import type { Size } from '../shell.ts'

/**
 * Maximum bytes of raw output that are retained before they are parsed, which is the main memory cost of a terminal
 * without watchers.
 */
const UNREAD_BYTES = 64 * 1024
/** Size of blocks into which output is copied, because received buffers occupy more memory than the bytes in use. */
const BLOCK_BYTES = 8 * 1024
/** Parse budget of all terminals of a process: bytes per second, and burst. */
const READ_PER_SECOND = 512 * 1024
const READ_AT_ONCE = 1024 * 1024
/** Maximum screen size in cells, so that a learner cannot make a screen cost megabytes. */
const MAX_CELLS = 60_000
const CANCEL = '\x18'

interface Snapshot {
  readonly size: Size
  readonly text: string
}

interface Block {
  readonly bytes: Buffer
  used: number
}

export type MakeScreenModel = (size: Size) => ScreenModel

export interface ScreenModel {
  printed(bytes: Buffer): void
  resized(size: Size): void
  /** Calls `then` with the screen after all output so far and before any later output. */
  snapshot(then: (snapshot: Snapshot) => void): void
  close(): void
}

/**
 * Imports the screen models. Output older than 64 kB is parsed only within a budget for the process, so that floods
 * cost little.
 */
export async function loadScreenModels(): Promise<MakeScreenModel> {
  const [{ default: xterm }, { default: addon }, { default: widths }] = await Promise.all([
    import('@xterm/headless'),
    import('@xterm/addon-serialize'),
    import('@xterm/addon-unicode11'),
  ])
  const mayRead = budget()

  return (first) => {
    let unread: (Block | Size)[] = []
    let blocks = 0
    let last = first
    const createScreen = () => {
      const terminal = new xterm.Terminal({ ...sized(last), scrollback: 0, allowProposedApi: true })
      const serializer = new addon.SerializeAddon()
      terminal.loadAddon(serializer)
      // The browser uses the same addon.
      terminal.loadAddon(new widths.Unicode11Addon())
      terminal.unicode.activeVersion = '11'
      return { terminal, serializer }
    }
    let screen: ReturnType<typeof createScreen> | null = null

    const read = () => {
      screen ??= createScreen()
      const { terminal } = screen
      for (const each of unread) {
        if ('bytes' in each) terminal.write(each.bytes.subarray(0, each.used))
        else terminal.write('', () => terminal.resize(each.columns, each.rows))
      }
      unread = []
      blocks = 0
      return screen
    }
    const forget = () => {
      const retained = unread.filter((each) => 'bytes' in each).slice(-UNREAD_BYTES / BLOCK_BYTES)
      unread = [last, { bytes: Buffer.from(CANCEL), used: CANCEL.length }, ...retained]
      blocks = retained.length
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
        const heldBytes = blocks * BLOCK_BYTES
        if (heldBytes <= 2 * UNREAD_BYTES) return
        if (last.columns * last.rows <= MAX_CELLS && mayRead(heldBytes)) read()
        else forget()
      },
      resized(size) {
        last = size
        // Only the last of several consecutive resizes counts, for example while a window is dragged.
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
      close: () => screen?.terminal.dispose(),
    }
  }
}

const sized = ({ columns, rows }: Size) => ({ cols: columns, rows })

function budget(): (bytes: number) => boolean {
  let remaining = READ_AT_ONCE
  let at = performance.now()
  return (bytes) => {
    const now = performance.now()
    remaining = Math.min(READ_AT_ONCE, remaining + ((now - at) / 1000) * READ_PER_SECOND)
    at = now
    if (bytes > remaining) return false
    remaining -= bytes
    return true
  }
}
