/**
 * Work-around: uPlot creates a number format for the browser's language on load, and Intl throws for the language that
 * Chromium reports without a system locale (`en-US@posix`), which would break every screen with a chart.
 */
try {
  Intl.getCanonicalLocales(navigator.language)
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en', configurable: true })
}
