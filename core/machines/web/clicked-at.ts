/** Session storage key; the value is in ms since 1970. */
export const CLICKED_AT = 'trainyard.clicked-at'
