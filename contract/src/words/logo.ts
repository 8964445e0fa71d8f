/** The kinds of image that a logo may be. SVG is not among them: it is a document that can hold scripts. */
export const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const
export type LogoType = (typeof LOGO_TYPES)[number]

/** Logos are found here, by the sha256 of their bytes: an address stands for one image for ever. */
export const LOGO_PATH = '/api/logo'

export const LOGO_BYTES_MAX = 256 * 1024
/** Pixels of a side; a small file of many more would be a burden to every browser that shows it. */
export const LOGO_SIDE_MIN = 16
export const LOGO_SIDE_MAX = 2048
