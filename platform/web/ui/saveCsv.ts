import { type CsvRows, csvOf } from '../../contract/words/csv.ts'
import { saveBlob } from './save-blob.ts'

/** Saves rows as a CSV file. */
export function saveCsv(name: string, rows: CsvRows): void {
  // With a byte order mark, spreadsheet programs read the file as UTF-8.
  saveBlob(`${name}.csv`, new Blob(['\uFEFF', csvOf(rows)], { type: 'text/csv;charset=utf-8' }))
}
