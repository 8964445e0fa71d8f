/** Excludes segments that consist of dots only, because `..` in a URL path selects the parent folder. */
const NAME = String.raw`(?!\.+(?:/|$))[\w().-]{1,90}`
const PART = String.raw`[A-Za-z0-9][\w.-]{0,79}`
const IMAGE = `images/${NAME}(?:/versions/${NAME})?`

const KINDS = [
  // Platform image: publisher:offer:sku, with or without a version.
  `${PART}:${PART}:${PART}(?::${PART})?`,
  `/subscriptions/[0-9a-f-]{36}/resourceGroups/${NAME}/providers/Microsoft\\.Compute/(?:images/${NAME}|galleries/${NAME}/${IMAGE})`,
  `/(?:communityGalleries|sharedGalleries)/${NAME}/${IMAGE}`,
].map((kind) => new RegExp(`^${kind}$`, 'i'))

export const IMAGE_ID_LENGTH = 600

/** Returns true for a platform image and for the resource ID of an image in a resource group or gallery. */
export const isImageId = (text: string): boolean =>
  text.length <= IMAGE_ID_LENGTH && KINDS.some((kind) => kind.test(text))

export const isPlanPart = (text: string): boolean => new RegExp(`^${PART}$`).test(text)
