/** SVG is excluded because it can contain scripts. */
export const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const
export type LogoType = (typeof LOGO_TYPES)[number]

/** The last segment is the image's SHA-256, so the content of an address never changes. */
export const LOGO_PATH = '/api/logo'

export const LOGO_BYTES_MAX = 256 * 1024
/** In pixels. A small file can decompress to very many pixels in every browser that shows it. */
export const LOGO_SIDE_MIN = 16
export const LOGO_SIDE_MAX = 2048
