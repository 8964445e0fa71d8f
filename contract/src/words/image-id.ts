/** One name of a provider's path: never empty, and never a way up. */
const NAME = String.raw`(?!\.+(?:/|$))[\w().-]{1,90}`
const PART = String.raw`[A-Za-z0-9][\w.-]{0,79}`
const IMAGE = `images/${NAME}(?:/versions/${NAME})?`

const KINDS = [
  // A platform's image: publisher:offer:sku, with or without a version.
  `${PART}:${PART}:${PART}(?::${PART})?`,
  `/subscriptions/[0-9a-f-]{36}/resourceGroups/${NAME}/providers/Microsoft\\.Compute/(?:images/${NAME}|galleries/${NAME}/${IMAGE})`,
  `/(?:communityGalleries|sharedGalleries)/${NAME}/${IMAGE}`,
].map((kind) => new RegExp(`^${kind}$`, 'i'))

export const IMAGE_ID_LENGTH = 600

/** Returns true for a provider's name of an image: a platform's, or the resource id of one in a group or gallery. */
export const isImageId = (text: string): boolean =>
  text.length <= IMAGE_ID_LENGTH && KINDS.some((kind) => kind.test(text))

/** Returns true when a publisher, a product or a version may be a part of a provider's address. */
export const isPlanPart = (text: string): boolean => new RegExp(`^${PART}$`).test(text)

/** Returns true when each name of an id stays where it is: none is empty, leads up, or could end the path. */
export const staysInPlace = (id: string): boolean =>
  id
    .replace(/^\//, '')
    .split(/[/:]/)
    .every((name) => name !== '' && !/^\.+$/.test(name) && !/[?#%\\\p{Cc}]/u.test(name))
