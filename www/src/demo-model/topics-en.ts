/** The demo model's built-in articles in English. */
import type { Article } from "./articles";

export const english: Article[] = [
  {
    names: ["tea", "teas", "green tea", "black tea", "tea culture", "the history of tea"],
    title: "Tea: A Leaf and Hot Water",
    keywords: "tea",
    intro:
      "<p>After water, nothing is drunk more often than tea. Every cup of it, from the palest white to the darkest pu’er, comes from the leaves of one evergreen shrub, <em>Camellia sinensis</em>. What sets the cups apart is where the shrub grew, what was done to its leaves in the hours after picking, and how much patience went into the pot.</p>",
    sections: [
      {
        title: "Where Tea Comes From",
        content:
          "<p>The tea plant is at home in the mountains where south-west China meets Burma and Assam. People there chewed and boiled its leaves long before anyone wrote about it. By the eighth century tea had become an art: Lu Yu’s <em>Classic of Tea</em>, written around 760, tells its readers which water to draw, which bowl to hold and how to watch the bubbles rise.</p><p>Monks carried seeds and habits to Japan. Caravans carried pressed bricks across Tibet and Mongolia. Dutch ships brought the first chests to Europe early in the seventeenth century, and within a hundred years a medicine for the rich had become the daily drink of whole nations.</p>",
      },
      {
        title: "One Plant, Six Kinds",
        content:
          "<p>A picked leaf begins to change at once. Heat stops the change; bruising and time drive it on. From that single choice come the six families of tea.</p><ul><li><p><strong>Green</strong>: heated early, so that it stays fresh and grassy.</p></li><li><p><strong>White</strong>: withered and dried, hardly touched.</p></li><li><p><strong>Yellow</strong>: like green, then wrapped warm to mellow.</p></li><li><p><strong>Oolong</strong>: bruised at the edges, stopped half way.</p></li><li><p><strong>Black</strong>: rolled and fully oxidised, strong and malty.</p></li><li><p><strong>Dark</strong>: fermented slowly, sometimes for decades.</p></li></ul><p>Climate and soil add the rest. The same cultivar tastes of chestnut on one slope and of orchids on the next.</p>",
      },
      {
        title: "How to Brew a Good Cup",
        content:
          "<p>Good tea asks for little: fresh water, enough leaf and a watch. Two to three grams for a cup is a fair beginning. Boiling water scalds green leaves and makes them bitter, while black tea needs all the heat it can get.</p><table><tbody><tr><th><p>Tea</p></th><th><p>Water</p></th><th><p>Time</p></th></tr><tr><td><p>Green</p></td><td><p>75–80 °C</p></td><td><p>2 minutes</p></td></tr><tr><td><p>Oolong</p></td><td><p>90–95 °C</p></td><td><p>3 minutes</p></td></tr><tr><td><p>Black</p></td><td><p>95–100 °C</p></td><td><p>3–4 minutes</p></td></tr></tbody></table><p>Taste early and often. When the cup is right, take the leaves out: they do not know when to stop. Good leaves may be brewed again, and the second cup is often the better one.</p>",
      },
      {
        title: "Tea as Company",
        content:
          "<p>Tea is rarely only a drink. In Morocco a guest is poured three glasses, and leaving after the first would be rude. In Japan the host may prepare for days so that a single bowl can be shared in silence. In Britain the kettle goes on when the news is bad, and again when it is good.</p><p>What these customs share is the pause. Water takes its time to boil, leaves take theirs to open, and for that long nobody is expected to do anything else.</p>",
      },
      {
        title: "Buying and Keeping Tea",
        content:
          "<p>Buy little and buy often. Green tea fades within a year; black tea keeps for two; dark tea may improve in the cupboard longer than its owner. Whole leaves keep better than broken ones, and a plain opaque tin serves better than a handsome jar of glass.</p><p>Four things spoil tea: light, air, moisture and strong smells. Keep it away from the coffee.</p>",
      },
    ],
  },
  {
    names: ["coffee", "espresso", "the history of coffee"],
    title: "Coffee, from Cherry to Cup",
    keywords: "coffee",
    intro:
      "<p>A coffee bean is the seed of a small red fruit. Between the branch and the cup it is picked, stripped, dried, shipped, roasted, ground and drowned in hot water, and at each of these steps it can be spoiled. That it so often tastes good is the work of many careful hands.</p>",
    sections: [
      {
        title: "From Ethiopia to Everywhere",
        content:
          "<p>Wild coffee grows in the forests of Ethiopia. The first drinkers we know of lived across the Red Sea: in the fifteenth century Sufis in Yemen used it to stay awake through their night prayers. From the port of Mocha it spread north to Mecca, Cairo and Constantinople.</p><p>Coffee houses followed it. There one could sit for hours, read the news and argue, for the price of a cup. London’s first opened in 1652, and within a generation merchants, insurers and men of science each had a house of their own.</p>",
      },
      {
        title: "Two Species and a Thousand Farms",
        content:
          "<p>Almost all coffee comes from two species. <strong>Arabica</strong> likes cool heights, ripens slowly and tastes fine and acid. <strong>Robusta</strong> puts up with heat and pests, has about twice the caffeine, and gives espresso its body.</p><p>After picking, the fruit must leave the seed. Washed coffees are clean and bright. Natural ones are dried whole in the sun and keep something of the berry.</p>",
      },
      {
        title: "The Roast and the Brew",
        content:
          "<p>Roasting turns a green, grassy seed into something we recognise. Sugars brown, the bean swells and cracks, hundreds of aromas appear and, if nobody stops it, burn. Light roasts speak of the farm, dark roasts of the roaster.</p><ul><li><p><strong>Filter</strong>: sixty grams to the litre, medium grind, three to four minutes.</p></li><li><p><strong>Press</strong>: coarse grind, four minutes, then pour it all out.</p></li><li><p><strong>Espresso</strong>: fine grind, high pressure, about half a minute.</p></li></ul><p>Water between ninety and ninety-six degrees suits them all. Grind just before brewing: nothing improves a cup more.</p>",
      },
      {
        title: "What Coffee Does to Us",
        content:
          "<p>Caffeine does not give strength; it hides tiredness. It sits where the brain’s own sleep signal should dock, and half of it is still there some five hours later. That is why an afternoon cup can be felt at midnight.</p><p>For most adults a few cups a day do no harm, and the ritual may matter as much as the drug: a reason to get up from the desk and to meet someone.</p>",
      },
    ],
  },
  {
    names: ["bicycle", "bicycles", "bike", "bikes", "cycling", "the history of the bicycle"],
    title: "The Bicycle: Two Wheels and an Idea",
    keywords: "bicycle",
    intro:
      "<p>No machine turns so little effort into so much way. On a bicycle a person uses about a fifth of the energy that walking the same distance takes, carries no fuel and arrives awake. It has hardly changed its shape in more than a century, because the shape was right.</p>",
    sections: [
      {
        title: "From Running Machine to Safety Bicycle",
        content:
          "<p>In 1817 Karl Drais of Mannheim put two wheels in line and pushed himself along with his feet. Pedals came in Paris in the 1860s, straight on the front axle. To go faster one needed a larger wheel, and soon riders sat perilously high above the road on the penny-farthing.</p><p>The answer was the chain. John Kemp Starley’s Rover of 1885 had two wheels of like size, a driven rear wheel and a diamond of tubes between them. Three years later John Boyd Dunlop added the air-filled tyre. Whoever saw those bicycles would know ours.</p>",
      },
      {
        title: "Why It Stays Upright",
        content:
          "<p>A rolling bicycle steers itself under its own fall. When it leans to the left the front wheel turns left, and the wheels roll back beneath the weight. Spinning wheels help a little and the backward slant of the fork helps more, yet bicycles have been built with neither that still balance.</p><p>The rider does the same without knowing it. Balance on a bicycle is not held; it is lost and found again, several times a second.</p>",
      },
      {
        title: "Cities on Two Wheels",
        content:
          "<p>A lane for cars moves fewer people in an hour than a track of the same width for bicycles. Cities that understood this early, such as Amsterdam and Copenhagen, did not begin as paradises for cyclists. They decided, street by street, to build the tracks, and people came.</p><p>What brings people onto bicycles is seldom courage. It is a kerb between them and the lorries, a direct way and a safe place to lock up.</p>",
      },
      {
        title: "Keeping It Rolling",
        content:
          '<p>A bicycle asks for ten minutes a month. Most of its troubles can be heard before they can be felt.</p><ul data-type="taskList"><li data-type="taskItem" data-checked="false"><p>Pump the tyres to the pressure printed on their side.</p></li><li data-type="taskItem" data-checked="false"><p>Wipe the chain, oil it, and wipe off what is left over.</p></li><li data-type="taskItem" data-checked="false"><p>Squeeze both brakes hard and look at the pads.</p></li><li data-type="taskItem" data-checked="false"><p>Lift each wheel, spin it, and listen.</p></li></ul>',
      },
    ],
  },
];
