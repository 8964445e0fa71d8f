/**
 * On load, uPlot creates a number format for the browser's language, for which Intl throws in Chromium without a
 * system locale (`en-US@posix`): every screen with a chart would break.
 */
try {
  Intl.getCanonicalLocales(navigator.language)
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en', configurable: true })
}
