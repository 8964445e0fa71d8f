import { newId } from '@trainyard/platform/web/api/new-id.ts'

const TIMEOUT_MS = 2_000

/** Frame of the LMS that stores values for the tool (LTI postMessage storage 1.0). */
export interface LmsStorage {
  /** Name of the frame; `_parent` for the page that contains this one. */
  readonly target: string
  /** Origin of the LMS's authorization address. Only its answers are trusted. */
  readonly origin: string
}

const NAME = 'trainyard_lti'

/** Stores a value in the LMS's frame. @returns false if the frame does not confirm it */
export async function putProof(storage: LmsStorage, state: string, value: string): Promise<boolean> {
  const reply = await ask(storage, { subject: 'lti.put_data', key: keyOf(state), value })
  return reply !== null && reply['error'] === undefined
}

export async function getProof(storage: LmsStorage, state: string): Promise<string | null> {
  const value = (await ask(storage, { subject: 'lti.get_data', key: keyOf(state) }))?.['value']
  return typeof value === 'string' ? value : null
}

/** Returns a separate key for each launch, so that launches in two tabs do not overwrite each other's value. */
const keyOf = (state: string): string => `${NAME}_${state.slice(0, 43)}`

function ask(
  { target, origin }: LmsStorage,
  message: { readonly subject: string; readonly key: string; value?: string },
) {
  const frame = target === '_parent' ? parent : (parent.frames as unknown as Record<string, Window>)[target]
  if (frame === undefined) return Promise.resolve(null)
  const id = newId()
  return new Promise<Record<string, unknown> | null>((resolve) => {
    const finish = (reply: Record<string, unknown> | null) => {
      removeEventListener('message', receive)
      clearTimeout(timeout)
      resolve(reply)
    }
    const receive = (event: MessageEvent) => {
      const reply = event.data as Record<string, unknown> | null
      if (event.origin !== origin || typeof reply !== 'object' || reply === null) return
      if (reply['message_id'] === id && reply['subject'] === `${message.subject}.response`) finish(reply)
    }
    const timeout = setTimeout(() => finish(null), TIMEOUT_MS)
    addEventListener('message', receive)
    frame.postMessage({ ...message, message_id: id }, origin)
  })
}
