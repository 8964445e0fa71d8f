/** SVG is excluded because it can contain scripts. */
export const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const
export type LogoType = (typeof LOGO_TYPES)[number]

/** Path prefix of logos. The SHA-256 of the image follows, so the response for a URL never changes. */
export const LOGO_PATH = '/api/logo'

export const LOGO_BYTES_MAX = 256 * 1024
/** Limits of width and height, in pixels. A small file can decompress to a very large image in each browser. */
export const LOGO_SIDE_MIN = 16
export const LOGO_SIDE_MAX = 2048
