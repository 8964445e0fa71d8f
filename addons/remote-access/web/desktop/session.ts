import { Backend, displayControl, init } from '@devolutions/iron-remote-desktop-rdp'
import type { DesktopOffer } from '../../contract/remote.ts'
import { DESKTOP_SOCKET } from '../../contract/remote-words.ts'
import { API_BASE } from '@trainyard/platform/web/api/client.ts'

export interface DesktopSize {
  readonly width: number
  readonly height: number
}

export class DesktopFailure extends Error {
  /** HTTP status of the gateway's refusal; null if unknown. */
  readonly status: number | null
  /** True if the machine rejected the account or password. */
  readonly signIn: boolean

  constructor(status: number | null, signIn: boolean) {
    super('The desktop could not be opened.')
    this.status = status
    this.signIn = signIn
  }
}

export interface DesktopSession {
  readonly canvas: HTMLCanvasElement
  type(text: string): void
  key(code: number, down: boolean): void
  point(x: number, y: number): void
  button(button: number, down: boolean): void
  scroll(vertical: boolean, pixels: number): void
  releaseAll(): void
  resize(size: DesktopSize): void
  offer(text: string): Promise<void>
  close(): void
  readonly over: Promise<void>
}

type Engine = InstanceType<typeof Backend.SessionBuilder>
type Device = ReturnType<typeof Backend.DeviceEvent.keyPressed>

/** Time in ms in which the engine announces a text to the machine. The engine does not report when it has done so. */
const CLIPBOARD_DELAY_MS = 80

let loading: Promise<void> | null = null
const load = (): Promise<void> => (loading ??= init('ERROR'))

/** Engine error kinds for a rejected account: wrong password, log-on failure, access denied. */
const SIGN_IN: ReadonlySet<number> = new Set([1, 2, 3])

export type DesktopTarget = Pick<DesktopOffer, 'machine' | 'ticket' | 'account' | 'password'> & {
  readonly path?: string
}

/** Opens a desktop with an offer's ticket. @throws DesktopFailure */
export async function openDesktop(
  canvas: HTMLCanvasElement,
  { path = DESKTOP_SOCKET, ...offer }: DesktopTarget,
  size: DesktopSize,
  copied: (text: string) => void,
): Promise<DesktopSession> {
  await load()
  const socket = new URL(API_BASE + path, location.href)
  socket.protocol = socket.protocol.replace('http', 'ws')
  let lastOffer = new Backend.ClipboardData()
  const builder: Engine = new Backend.SessionBuilder()
  builder
    .proxyAddress(socket.href)
    .destination(offer.machine)
    .authToken(offer.ticket)
    .username(offer.account)
    .password(offer.password)
    .serverDomain('')
    .renderCanvas(canvas)
    .desktopSize(new Backend.DesktopSize(size.width, size.height))
    .extension(displayControl(true))
    .setCursorStyleCallbackContext(null)
    .setCursorStyleCallback((kind: string, url?: string, x?: number, y?: number) => {
      canvas.style.cursor =
        kind === 'url'
          ? `url(${url}) ${Math.round(x ?? 0)} ${Math.round(y ?? 0)}, default`
          : kind === 'hidden'
            ? 'none'
            : 'default'
    })
    .remoteClipboardChangedCallback((data: InstanceType<typeof Backend.ClipboardData>) => {
      const text = data
        .items()
        .find((item) => item.mimeType() === 'text/plain')
        ?.value() as unknown
      if (typeof text === 'string') copied(text)
    })
    .forceClipboardUpdateCallback(() => void session?.onClipboardPaste(lastOffer))
    .canvasResizedCallback(() => {})
  let session: Awaited<ReturnType<Engine['connect']>> | null = null
  try {
    session = await builder.connect()
  } catch (error) {
    throw failureOf(error)
  }
  const live = session
  const act = (...events: readonly Device[]) => {
    const transaction = new Backend.InputTransaction()
    for (const event of events) transaction.addEvent(event)
    live.applyInputs(transaction)
  }
  const { DeviceEvent } = Backend
  return {
    canvas,
    type(text) {
      for (const character of text) act(DeviceEvent.unicodePressed(character), DeviceEvent.unicodeReleased(character))
    },
    key: (code, down) => act(down ? DeviceEvent.keyPressed(code) : DeviceEvent.keyReleased(code)),
    point: (x, y) => act(DeviceEvent.mouseMove(x, y)),
    button: (button, down) =>
      act(down ? DeviceEvent.mouseButtonPressed(button) : DeviceEvent.mouseButtonReleased(button)),
    scroll: (vertical, pixels) => act(DeviceEvent.wheelRotations(vertical, -pixels, 0)),
    releaseAll: () => live.releaseAllInputs(),
    resize: ({ width, height }) => live.resize(width, height),
    async offer(text) {
      lastOffer = new Backend.ClipboardData()
      lastOffer.addText('text/plain', text)
      await live.onClipboardPaste(lastOffer)
      await new Promise((resolve) => setTimeout(resolve, CLIPBOARD_DELAY_MS))
    },
    close() {
      try {
        live.shutdown()
      } catch {
        // The engine throws if the session has ended already.
      }
    },
    // The gateway knows the reason of the end; see `endingOf`.
    over: live.run().then(
      () => {},
      () => {},
    ),
  }
}

interface EngineError {
  kind?(): number
  rdcleanpathDetails?(): { readonly httpStatusCode?: number } | undefined
}

function failureOf(error: unknown): DesktopFailure {
  const { kind, rdcleanpathDetails } = error as EngineError
  const status = rdcleanpathDetails?.call(error)?.httpStatusCode ?? null
  return new DesktopFailure(status, SIGN_IN.has(kind?.call(error) ?? 0))
}
