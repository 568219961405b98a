/** 64 moods. None is an insult, and none fits only one gender or nation. */
export const PSEUDONYM_MOODS = `Agile Airy Amiable Attentive Balmy Bold Brave Breezy Bright Brisk
  Bubbly Calm Candid Careful Cheerful Clear Clever Cozy Crisp Curious Dapper Daring Deft Eager
  Earnest Easygoing Fair Festive Frank Fresh Gentle Glad Graceful Hearty Helpful Hopeful Humble
  Jolly Keen Kind Lively Lucid Mellow Merry Mild Modest Neat Nimble Patient Peaceful Playful
  Plucky Polite Quiet Ready Serene Sincere Steady Sunny Tidy Tranquil Upbeat Warm Witty`.split(
  /\s+/,
)

/** 128 nouns of tea, food, animals, plants, weather, the office and the road. */
export const PSEUDONYM_NOUNS = `Teapot Kettle Teacup Saucer Teaspoon Samovar Biscuit Scone Crumpet
  Muffin Pretzel Waffle Pancake Honey Ginger Cinnamon Cardamom Jasmine Mint Lemon
  Heron Falcon Sparrow Ibis Puffin Kestrel Swallow Finch Robin Wren Plover Osprey Pelican Toucan
  Lark Magpie Egret Kiwi Penguin Avocet
  Otter Badger Hedgehog Lynx Marmot Koala Panda Beaver Dolphin Gecko Tortoise Squirrel Alpaca Bison
  Moose Wombat Seahorse Starfish Cricket Firefly
  Fern Maple Willow Cedar Clover Poppy Tulip Aspen Birch Lilac Lotus Thistle Acorn Juniper Bamboo
  Cactus Orchid Sequoia Pine Moss
  Breeze Drizzle Rainbow Sunbeam Cloud Snowflake Meadow River Canyon Glacier Island Pebble Comet
  Meteor Aurora Lagoon Harbor Valley Horizon Planet
  Stapler Notebook Pencil Lamp Postcard Ruler Folder Inkwell Bookmark Lantern Compass Umbrella
  Backpack Bicycle Anchor Canoe Tram Ferry Kite Balloon Violin Cello Piano Banjo Chime Puzzle
  Marble Quilt`.split(/\s+/)

/** Attempts without a number. */
export const PLAIN_NAMES = 20

const SEED_BYTES = 8

/**
 * Such as "Candid Heron". The same seed and attempt always give the same name, and the next attempt gives another. From
 * `PLAIN_NAMES` on, names end with a number, such as "Candid Heron 2", so there's always a free one.
 * @param seed at least 8 bytes, or those in hex, that no one can guess: an HMAC of person and thread
 * @param attempt from 0
 */
export function pseudonymOf(seed: Uint8Array | string, attempt: number): string {
  const bytes = typeof seed === 'string' ? bytesOf(seed) : seed
  if (bytes.length < SEED_BYTES) throw new TypeError('The seed of a pseudonym has at least 8 bytes')
  const start = numberAt(bytes, 0)
  // An odd step through a power of two reaches every pair once before it repeats.
  const step = numberAt(bytes, 4) * 2 + 1
  const pairs = PSEUDONYM_MOODS.length * PSEUDONYM_NOUNS.length
  const pair = (start + (step % pairs) * (attempt % pairs)) % pairs
  const mood = PSEUDONYM_MOODS[pair % PSEUDONYM_MOODS.length]
  const noun = PSEUDONYM_NOUNS[Math.floor(pair / PSEUDONYM_MOODS.length)]
  const name = `${mood} ${noun}`
  return attempt < PLAIN_NAMES ? name : `${name} ${attempt - PLAIN_NAMES + 2}`
}

/** Reads four bytes as a number from 0 to 2³² - 1. */
const numberAt = (bytes: Uint8Array, at: number) =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(at)

function bytesOf(hex: string): Uint8Array {
  if (!/^(?:[0-9a-f]{2})+$/i.test(hex)) throw new TypeError('The seed of a pseudonym must be hex')
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
}
