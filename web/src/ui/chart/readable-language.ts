/**
 * uPlot makes a number format of the browser's language as it loads, and Intl refuses the one that Chromium tells where
 * the system has none (`en-US@posix`): every screen with a chart would be lost.
 */
try {
  Intl.getCanonicalLocales(navigator.language)
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en', configurable: true })
}
