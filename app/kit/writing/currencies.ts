/** Currencies, and amounts as text. No I/O here. */

export const isCurrency = (code: string) =>
  /^[A-Z]{3}$/.test(code) && Intl.supportedValuesOf('currency').includes(code)

export const UNKNOWN_CURRENCY = 'We don’t know this currency. Use a code such as EUR or USD.'

/** The currencies that forms offer. Any other is fine, too. */
export const COMMON_CURRENCIES = [
  'USD',
  'EUR',
  'GBP',
  'CHF',
  'CAD',
  'AUD',
  'NZD',
  'SEK',
  'NOK',
  'DKK',
  'PLN',
  'CZK',
  'INR',
  'JPY',
  'SGD',
  'BRL',
  'MXN',
  'ZAR',
] as const

/**
 * Rough units per US dollar, to sort salaries in different currencies. Currencies without a rate come last. We
 * never show a converted amount.
 */
export const UNITS_PER_DOLLAR: Readonly<Record<string, number>> = {
  ...{ AED: 3.67, ARS: 1_000, AUD: 1.52, BAM: 1.8, BDT: 119, BGN: 1.8, BHD: 0.376, BOB: 6.9 },
  ...{ BRL: 5.5, CAD: 1.38, CHF: 0.88, CLP: 950, CNY: 7.2, COP: 4_100, CRC: 515, CZK: 23 },
  ...{ DKK: 6.9, DOP: 60, EGP: 49, ETB: 120, EUR: 0.92, GBP: 0.78, GEL: 2.7, GHS: 15, GTQ: 7.7 },
  ...{ HKD: 7.8, HUF: 365, IDR: 15_800, ILS: 3.7, INR: 84, ISK: 138, JMD: 157, JOD: 0.71 },
  ...{ JPY: 150, KES: 129, KRW: 1_370, KWD: 0.307, KZT: 490, LKR: 293, MAD: 9.9, MKD: 57 },
  ...{ MUR: 46, MXN: 19, MYR: 4.4, NGN: 1_600, NOK: 10.9, NZD: 1.65, OMR: 0.385, PAB: 1 },
  ...{ PEN: 3.75, PHP: 58, PKR: 278, PLN: 3.95, PYG: 7_800, QAR: 3.64, RON: 4.6, RSD: 108 },
  ...{ RUB: 96, SAR: 3.75, SEK: 10.5, SGD: 1.33, THB: 34, TND: 3.1, TRY: 34, TWD: 32, TZS: 2_700 },
  ...{ UAH: 41, UGX: 3_670, USD: 1, UYU: 42, UZS: 12_800, VND: 25_300, XAF: 605, XOF: 605 },
  ...{ ZAR: 17.7, ZMW: 27 },
}

/** "€60,000", "$32.50". An unknown currency shows as its code. */
export function amountText(amount: number, currency: string): string {
  return amountFormat(currency, false, !Number.isInteger(amount))(amount)
}

export function amountFormat(currency: string, isLong: boolean, hasCents: boolean) {
  const digits = isLong ? { maximumFractionDigits: 2 } : hasCents ? 2 : 0
  try {
    const format = new Intl.NumberFormat('en', {
      style: 'currency',
      currency,
      notation: isLong ? 'compact' : 'standard',
      ...(typeof digits === 'object'
        ? { ...digits, minimumFractionDigits: 0 }
        : { minimumFractionDigits: digits, maximumFractionDigits: digits }),
    })
    return (amount: number) => format.format(amount)
  } catch {
    return (amount: number) => `${currency} ${amount.toLocaleString('en')}`.trim()
  }
}
