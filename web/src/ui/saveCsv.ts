import type { CsvRows } from './csv.ts'
import { notify } from './notices.ts'

export async function saveCsv(name: string, rows: CsvRows): Promise<void> {
  const written = await import('./csv.ts').catch(() => null)
  if (written === null) {
    notify.alert('The file could not be written. Check your connection and try again.')
    return
  }
  // With a byte order mark, spreadsheet programs read the file as UTF-8.
  const url = URL.createObjectURL(new Blob(['\uFEFF', written.csvOf(rows)], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${name}.csv`
  link.click()
  URL.revokeObjectURL(url)
}
