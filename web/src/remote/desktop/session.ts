import { Backend, displayControl, init } from '@devolutions/iron-remote-desktop-rdp'
import type { DesktopOffer } from '@trainyard/contract/calls/remote.ts'
import { DESKTOP_SOCKET } from '@trainyard/contract/words/remote.ts'
import { API_BASE } from '#src/api/client.ts'

export interface DesktopSize {
  readonly width: number
  readonly height: number
}

/** A connection that could not be had, by what is known of it. */
export class DesktopFailure extends Error {
  /** HTTP's status of the gateway's refusal; null where it gave none. */
  readonly status: number | null
  /** The machine refused the account or its password. */
  readonly signIn: boolean

  constructor(status: number | null, signIn: boolean) {
    super('The desktop could not be opened.')
    this.status = status
    this.signIn = signIn
  }
}

/** A desktop that is open: its picture is on `canvas`, and whoever holds this acts at it. */
export interface DesktopSession {
  readonly canvas: HTMLCanvasElement
  /** Types a text as it is, whatever the layout of the machine's keyboard. */
  type(text: string): void
  /** Presses or lets go of a key, by its scan code. */
  key(code: number, down: boolean): void
  /** Moves the pointer to a pixel of the canvas. */
  point(x: number, y: number): void
  button(button: number, down: boolean): void
  scroll(vertical: boolean, pixels: number): void
  letGo(): void
  resize(size: DesktopSize): void
  /** Makes a text the machine's clipboard. */
  offer(text: string): Promise<void>
  close(): void
  /** Settles when the session is over, however. */
  readonly over: Promise<void>
}

type Engine = InstanceType<typeof Backend.SessionBuilder>
type Device = ReturnType<typeof Backend.DeviceEvent.keyPressed>

/** The engine tells the machine of a text a moment after it has taken it, and does not say when. */
const TELLING_MS = 80

let loading: Promise<void> | null = null
/** Loads the engine, once. */
const load = (): Promise<void> => (loading ??= init('ERROR'))

/** Kinds of the engine's errors that say that the account was refused: a wrong password, a refused log-on, no access. */
const SIGN_IN: ReadonlySet<number> = new Set([1, 2, 3])

/** A desktop to open: as whom, and at which socket. */
export type DesktopWay = Pick<DesktopOffer, 'machine' | 'ticket' | 'account' | 'password'> & { readonly path?: string }

/** Opens the desktop that an offer's ticket is good for. @throws DesktopFailure */
export async function openDesktop(
  canvas: HTMLCanvasElement,
  { path = DESKTOP_SOCKET, ...offer }: DesktopWay,
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
    letGo: () => live.releaseAllInputs(),
    resize: ({ width, height }) => live.resize(width, height),
    async offer(text) {
      lastOffer = new Backend.ClipboardData()
      lastOffer.addText('text/plain', text)
      await live.onClipboardPaste(lastOffer)
      await new Promise((told) => setTimeout(told, TELLING_MS))
    },
    close() {
      try {
        live.shutdown()
      } catch {
        // The engine refuses to end what is over.
      }
    },
    // Why it is over is known by the gateway alone: it may have ended it.
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
