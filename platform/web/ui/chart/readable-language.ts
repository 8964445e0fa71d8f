/**
 * On import, uPlot creates a number format for the browser's language. For this, Intl throws in Chromium without a
 * system locale (`en-US@posix`), and every screen with a chart would fail.
 */
try {
  Intl.getCanonicalLocales(navigator.language)
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en', configurable: true })
}
