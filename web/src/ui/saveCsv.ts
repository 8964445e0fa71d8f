import { type CsvRows, csvOf } from '@trainyard/contract/words/csv.ts'

/** Saves rows as a CSV file. */
export function saveCsv(name: string, rows: CsvRows): void {
  // With a byte order mark, spreadsheet programs read the file as UTF-8.
  const url = URL.createObjectURL(new Blob(['\uFEFF', csvOf(rows)], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${name}.csv`
  link.click()
  URL.revokeObjectURL(url)
}
