import { expect, test } from 'vitest'
import { PRINTABLE_PATTERN } from '@trainyard/ledger/contract/tax-document.ts'
import { pdfDrawn, pdfText } from '../../test/pdf.ts'
import { createPaper, finishPaper, MARGIN } from './paper.ts'
import { drawText, heightOfText } from './text.ts'

async function printed(texts: readonly string[], width = 400): Promise<Buffer> {
  const paper = await createPaper('Texts', 'Trainyard', '2026-11-02', texts)
  for (const text of texts) drawText(paper, 'regular', text, { x: MARGIN, width })
  return finishPaper(paper, 'Foot')
}

const fontsIn = (pdf: Buffer): string[] => [
  ...new Set(
    [...pdf.toString('latin1').matchAll(/\/FontName \/[A-Z]+\+NotoSans(\w*)-Regular/g)].map(([, font]) => font!),
  ),
]

/** Each text has a conjunct, a reordered vowel or a mark that the PDF library itself misplaces or throws on. */
const SCRIPTS = [
  ['Devanagari', 'महाराष्ट्र क्षत्रिय', ''],
  ['Bengali', 'আন্ডোরা প্রশিক্ষণ', 'Bengali'],
  ['Gurmukhi', 'ਅਸੈਂਸ਼ਨ ਕੇਂਦਰ', 'Gurmukhi'],
  ['Gujarati', 'અંગ્રેજી તાલીમ', 'Gujarati'],
  ['Odia', 'ଓଡ଼ିଶା କେନ୍ଦ୍ର', 'Oriya'],
  ['Tamil', 'தமிழ்நாடு கல்வி', 'Tamil'],
  ['Telugu', 'ఆంధ్రప్రదేశ్ శిక్షణ', 'Telugu'],
  ['Kannada', 'ಸ್ವಿಟ್ಜರ್ಲ್ಯಾಂಡ್ ಕರ್ನಾಟಕ', 'Kannada'],
  ['Malayalam', 'ദ്വീപ് കേന്ദ്രം', 'Malayalam'],
] as const

test.each(SCRIPTS)('prints %s with its own font', async (_script, text, font) => {
  expect(text).toMatch(PRINTABLE_PATTERN)
  const pdf = await printed([text])
  expect(new Set(fontsIn(pdf))).toEqual(new Set(['', font]))
  const drawn = new Set((await pdfText(pdf)).normalize('NFC'))
  expect([...text.normalize('NFC')].filter((character) => !drawn.has(character))).toEqual([])
})

test('embeds no font of a script that the document does not contain', async () => {
  const [latin, bengali] = await Promise.all([printed(['Acme School']), printed(['বাংলা'])])
  expect([fontsIn(latin), fontsIn(bengali).includes('Tamil')]).toEqual([[''], false])
  expect(bengali.length).toBeLessThan(latin.length + 20_000)
})

test('changes the font inside a word of two scripts', async () => {
  const pdf = await printed(['vm-বাংলা(தமிழ்)₹5'])
  expect(new Set(fontsIn(pdf))).toEqual(new Set(['', 'Bengali', 'Tamil']))
  expect((await pdfText(pdf)).replaceAll('\u200B', '')).toContain('vm-বাংলা(தமிழ்)₹5')
})

test.each([
  ['東京', 'U+6771 U+4EAC'],
  ['Labs 😀', 'U+1F600'],
  ['a\u0001b', 'aU+0001b'],
  ['العربية', 'U+0627 U+0644 U+0639 U+0631 U+0628 U+064A U+0629'],
  ['\u0BFF', 'U+0BFF'],
])('prints the codes of characters without a font: %j', async (text, codes) => {
  expect(await pdfText(await printed([text]))).toContain(codes)
})

test('wraps shaped text, splits a word wider than the line, and reports the same height', async () => {
  const text = 'தமிழ் '.repeat(30) + 'கல்வி'.repeat(30)
  const paper = await createPaper('Texts', 'Trainyard', '2026-11-02', [text])
  const { y } = paper
  const height = heightOfText(paper, 'bold', text, { width: 100 })
  drawText(paper, 'bold', text, { x: MARGIN, width: 100 })
  expect(paper.y).toBeCloseTo(y + height)
  const drawn = await pdfDrawn(await finishPaper(paper, ''))
  const lefts = drawn.flatMap((line) => /^([\d.]+) [\d.]+ bold/.exec(line)?.[1] ?? []).map(Number)
  expect(lefts.length).toBeGreaterThan(30)
  expect(Math.max(...lefts)).toBeLessThan(15 + 100 / 2.83)
})

test.each(['\u200Ctamil', 'a\u200Db', '\u200D', 'A “日本”', '"A"'])('refuses %j in names of tax documents', (text) => {
  expect(text).not.toMatch(PRINTABLE_PATTERN)
})
