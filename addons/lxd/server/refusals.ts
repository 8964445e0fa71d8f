import {
  CloudError,
  type CloudErrorKind,
  errorFactory,
  ProviderError,
} from '@trainyard/platform/server/providers/errors.ts'

/** Error reply of the daemon or error of its operation. The daemon has texts and no codes, so `message` identifies it. */
class LxdError extends ProviderError {
  override readonly name = 'LxdError'
  /** The whole text in lower case. The message is cut, and the reason is often at its end. */
  readonly text: string

  constructor(status: number | null, code: string, message: string) {
    super(status, code, message)
    this.text = message.toLowerCase()
  }
}

interface Refusal {
  /** Part of the text, in lower case. */
  readonly text: string
  readonly kind: CloudErrorKind
  /** Advice for the administrator. Omitted: the daemon's own text follows a general sentence. */
  readonly sentence?: string
  /** True if the same request can never succeed. */
  readonly final?: true
}

/**
 * Texts of LXD 5.0.2. Texts differ between versions, so few words are compared, and an unknown text is
 * retried.
 */
const REFUSALS: readonly Refusal[] = [
  { text: 'already exists', kind: 'conflict' },
  { text: 'busy running', kind: 'conflict', sentence: 'LXD is still working on this machine. The portal tries again.' },
  {
    text: 'image alias not found',
    kind: 'refused',
    final: true,
    sentence: 'LXD has no image with this alias. Import the image, or choose another one in the template.',
  },
  {
    text: 'image not provided',
    kind: 'refused',
    final: true,
    sentence: 'LXD has no image with this fingerprint. Import the image, or choose another one in the template.',
  },
  {
    text: 'failed getting remote image info',
    kind: 'unreachable',
    sentence: 'LXD cannot reach the image server. The portal tries again.',
  },
  {
    text: "doesn't match instance type",
    kind: 'refused',
    final: true,
    sentence: 'The image is of a virtual machine. Choose a container image in the template.',
  },
  {
    text: 'not supported on this server',
    kind: 'refused',
    final: true,
    sentence: 'This LXD server cannot run this kind of machine. Choose a container image in the template.',
  },
  { text: 'must specify one of alias', kind: 'refused', final: true },
  { text: 'invalid instance name', kind: 'refused', final: true },
  { text: 'invalid value', kind: 'refused', final: true },
  { text: 'invalid device', kind: 'refused', final: true },
  { text: 'invalid cpu limit', kind: 'refused', final: true },
  { text: 'unknown configuration key', kind: 'refused', final: true },
  { text: 'requested profile', kind: 'refused', final: true },
  { text: 'no root device', kind: 'refused', final: true },
  { text: "instance type doesn't exist", kind: 'refused', final: true },
  {
    text: 'instance storage pool not found',
    kind: 'conflict',
    sentence: 'LXD lost this machine while it was created. The portal creates it again.',
  },
  {
    text: 'storage pool not found',
    kind: 'refused',
    final: true,
    sentence: 'LXD has no storage pool of this name. Correct LXD_POOL.',
  },
  {
    text: 'disk quota exceeded',
    kind: 'refused',
    final: true,
    sentence: 'The image is larger than the disk of this size. Choose a size with a larger disk.',
  },
  {
    text: 'maximum number of instances',
    kind: 'quota',
    sentence: 'The LXD project has reached its number of machines. Raise limits.instances, or delete unused machines.',
  },
  {
    text: 'maximum aggregate value',
    kind: 'quota',
    sentence:
      'The LXD project has reached its limit of CPU, memory or disk. Raise the limit, or delete unused machines.',
  },
  { text: 'config on instance', kind: 'refused', final: true },
  { text: 'forbidden', kind: 'refused', final: true },
  {
    text: 'network not allowed in project',
    kind: 'unauthorised',
    sentence:
      "The portal's certificate is restricted at LXD, so it cannot create a network for the training. Trust it without restriction.",
  },
  { text: 'not allowed in project', kind: 'refused', final: true },
  {
    text: 'no space left on device',
    kind: 'capacity',
    sentence: "LXD's storage pool is full. Delete unused machines and images, or enlarge the pool.",
  },
  { text: 'already running', kind: 'conflict' },
  { text: 'already stopped', kind: 'conflict' },
  { text: "isn't running", kind: 'conflict' },
  { text: 'failed shutting down', kind: 'conflict' },
  { text: 'instance is running', kind: 'conflict' },
  { text: 'has now succeeded', kind: 'conflict' },
  {
    text: 'is protected',
    kind: 'refused',
    final: true,
    sentence: 'The machine is protected at LXD. Unset security.protection.delete, then try again.',
  },
  { text: "can't be cancelled", kind: 'conflict' },
  { text: 'is not running', kind: 'conflict', sentence: 'The machine is not running. The portal tries again.' },
  { text: 'is frozen', kind: 'conflict', sentence: 'The machine is frozen at LXD. The portal tries again.' },
  { text: 'cannot export a running', kind: 'conflict' },
  { text: 'in use', kind: 'conflict' },
  { text: 'already defined on another nic', kind: 'conflict' },
  { text: "etag doesn't match", kind: 'conflict' },
  {
    text: 'not authorized',
    kind: 'unauthorised',
    sentence:
      "LXD does not accept the portal's certificate for this. Add the certificate to LXD's trust store, unrestricted or for this project.",
  },
  { text: 'no matching certificate', kind: 'unauthorised' },
  { text: 'token has expired', kind: 'unauthorised' },
  {
    text: 'missing event connection',
    kind: 'unreachable',
    sentence: 'The cluster member of this machine is offline. The machine may still run. The portal keeps checking.',
  },
  {
    text: 'unable to connect',
    kind: 'unreachable',
    sentence: 'The cluster member of this machine is offline. The machine may still run. The portal keeps checking.',
  },
]

export const unknownProject = (project: string): CloudError =>
  new CloudError(
    'unauthorised',
    `LXD has no project named ${project}, or the portal's certificate does not include it.`,
  )

const errors = errorFactory({ name: 'LXD', limit: "A limit of LXD's project", rights: 'certificate at LXD' })

/** Returns the error of a reply or of an operation with this text. */
export function errorOf(action: string, status: number, message: string): CloudError {
  const answer = new LxdError(status, String(status), message)
  const text = message.toLowerCase()
  const known = REFUSALS.find((refusal) => text.includes(refusal.text))
  if (known === undefined) {
    const kind =
      status === 403 ? 'unauthorised' : status === 404 || status === 409 || status === 412 ? 'conflict' : 'unreachable'
    return errors.fromResponse(kind, action, answer, null, kind === 'unreachable' ? unknown(action, answer) : {})
  }
  const { kind, sentence = null, final = false } = known
  return errors.fromResponse(kind, action, answer, null, { sentence, final })
}

/** An unknown text is shown, because only it can tell the operator what to do. */
const unknown = (action: string, { message }: LxdError) => ({ sentence: `LXD failed to ${action}: ${message}` })

/** Returns true if the error is LXD's and its text contains the words, in lower case. */
export const says = (error: unknown, words: string): boolean =>
  error instanceof CloudError && error.cause instanceof LxdError && error.cause.text.includes(words)

/** Returns true if the error says that something does not exist. */
export const isAbsence = (error: unknown): boolean =>
  error instanceof CloudError && error.cause instanceof LxdError && error.cause.status === 404
