/** The tab's own storage has the instant of the click that opened it here, in milliseconds since 1970. */
export const CLICKED_AT = 'trainyard.clicked-at'
