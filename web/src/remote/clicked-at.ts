/** Session storage key for the time of the click that opened this tab, in ms since 1970. */
export const CLICKED_AT = 'trainyard.clicked-at'
