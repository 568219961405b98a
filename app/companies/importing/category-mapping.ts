/** Maps a list's sectors to the site's categories. No I/O here. */
import { foldText } from '#app/kit/writing/text.ts'

/** Common sector names, to the starter companies' categories, best first. */
const NEAREST: Record<string, string[]> = {
  'health care': ['Healthcare'],
  'information technology': ['Technology', 'IT Services'],
  it: ['Technology', 'IT Services'],
  software: ['Technology'],
  financials: ['Banking', 'Payments & Fintech', 'Insurance'],
  finance: ['Banking'],
  'financial services': ['Banking'],
  industrials: ['Industrial Manufacturing'],
  manufacturing: ['Industrial Manufacturing'],
  'consumer staples': ['Food & Beverage', 'Consumer Goods'],
  'consumer discretionary': ['Retail', 'Consumer Goods'],
  'consumer cyclical': ['Retail', 'Consumer Goods'],
  'consumer defensive': ['Food & Beverage', 'Consumer Goods'],
  'communication services': ['Media & Entertainment', 'Telecommunications'],
  communications: ['Telecommunications'],
  materials: ['Chemicals', 'Mining & Metals'],
  'basic materials': ['Chemicals', 'Mining & Metals'],
  'aerospace and defence': ['Aerospace & Defense'],
  transportation: ['Logistics'],
  pharma: ['Pharmaceuticals'],
  hospitality: ['Travel & Hospitality'],
}

/** Equal for "Food and Beverage" and "food & beverage". */
export const categoryKeyOf = (category: string) =>
  foldText(category)
    .replaceAll('&', ' and ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Earlier choices, by `categoryKeyOf` of the list's category. */
export type ChosenCategories = ReadonlyMap<string, string>

/**
 * Chosen before, else the same or a near one on the site, else as the list has it.
 * @param here categories of the site, by `categoryKeyOf`
 */
export function categoryFor(
  given: string,
  { chosen, here }: { chosen: ChosenCategories; here: ReadonlyMap<string, string> },
): string {
  const key = categoryKeyOf(given)
  const near = (NEAREST[key] ?? []).map((name) => here.get(categoryKeyOf(name)))
  return chosen.get(key) ?? here.get(key) ?? near.find(Boolean) ?? given
}
