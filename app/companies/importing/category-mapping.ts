/** Puts the sectors of a list into the categories that are here. No I/O here. */
import { foldText } from '#app/kit/writing/text.ts'

/** What lists call what the starter companies' categories are, the nearest first. */
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

/** "Food and Beverage" and "food & beverage" are one. */
export const categoryKeyOf = (category: string) =>
  foldText(category)
    .replaceAll('&', ' and ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** What was chosen before, by `categoryKeyOf` of what a list said. */
export type ChosenCategories = ReadonlyMap<string, string>

/**
 * The category of a row: as it was chosen before, else the one that is here under this name or a near
 * one, else as the list has it.
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
