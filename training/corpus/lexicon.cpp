// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/corpus/lexicon.h"

#include <array>

namespace headroom::training {

namespace {

constexpr auto M = Gender::Masculine, F = Gender::Feminine, N = Gender::Neuter;

// clang-format off: tables
constexpr Noun kPeople[] = {
    {"woman", "women", F, "Frau", "Frauen", "Frauen", F, "mujer", "mujeres"},
    {"man", "men", M, "Mann", "Männer", "Männern", M, "hombre", "hombres"},
    {"child", "children", N, "Kind", "Kinder", "Kindern", M, "niño", "niños"},
    {"girl", "girls", N, "Mädchen", "Mädchen", "Mädchen", F, "chica", "chicas"},
    {"teacher", "teachers", F, "Lehrerin", "Lehrerinnen", "Lehrerinnen", F, "profesora", "profesoras"},
    {"doctor", "doctors", M, "Arzt", "Ärzte", "Ärzten", M, "médico", "médicos"},
    {"sister", "sisters", F, "Schwester", "Schwestern", "Schwestern", F, "hermana", "hermanas"},
    {"brother", "brothers", M, "Bruder", "Brüder", "Brüdern", M, "hermano", "hermanos"},
    {"friend", "friends", M, "Freund", "Freunde", "Freunden", M, "amigo", "amigos"},
    {"singer", "singers", F, "Sängerin", "Sängerinnen", "Sängerinnen", F, "cantante", "cantantes"},
};
constexpr Noun kAnimals[] = {
    {"dog", "dogs", M, "Hund", "Hunde", "Hunden", M, "perro", "perros"},
    {"cat", "cats", F, "Katze", "Katzen", "Katzen", M, "gato", "gatos"},
    {"horse", "horses", N, "Pferd", "Pferde", "Pferden", M, "caballo", "caballos"},
    {"bird", "birds", M, "Vogel", "Vögel", "Vögeln", M, "pájaro", "pájaros"},
    {"cow", "cows", F, "Kuh", "Kühe", "Kühen", F, "vaca", "vacas"},
};
constexpr Noun kThings[] = {
    {"book", "books", N, "Buch", "Bücher", "Büchern", M, "libro", "libros"},
    {"letter", "letters", M, "Brief", "Briefe", "Briefen", F, "carta", "cartas"},
    {"house", "houses", N, "Haus", "Häuser", "Häusern", F, "casa", "casas"},
    {"apple", "apples", M, "Apfel", "Äpfel", "Äpfeln", F, "manzana", "manzanas"},
    {"table", "tables", M, "Tisch", "Tische", "Tischen", F, "mesa", "mesas"},
    {"chair", "chairs", M, "Stuhl", "Stühle", "Stühlen", F, "silla", "sillas"},
    {"car", "cars", N, "Auto", "Autos", "Autos", M, "coche", "coches"},
    {"bicycle", "bicycles", N, "Fahrrad", "Fahrräder", "Fahrrädern", F, "bicicleta", "bicicletas"},
    {"key", "keys", M, "Schlüssel", "Schlüssel", "Schlüsseln", F, "llave", "llaves"},
    {"lamp", "lamps", F, "Lampe", "Lampen", "Lampen", F, "lámpara", "lámparas"},
    {"picture", "pictures", N, "Bild", "Bilder", "Bildern", M, "cuadro", "cuadros"},
    {"cup", "cups", F, "Tasse", "Tassen", "Tassen", F, "taza", "tazas"},
    {"flower", "flowers", F, "Blume", "Blumen", "Blumen", F, "flor", "flores"},
    {"hat", "hats", M, "Hut", "Hüte", "Hüten", M, "sombrero", "sombreros"},
    {"ship", "ships", N, "Schiff", "Schiffe", "Schiffen", M, "barco", "barcos"},
    {"box", "boxes", F, "Kiste", "Kisten", "Kisten", F, "caja", "cajas"},
};
constexpr Adjective kAdjectives[] = {
    {"old", "alt", "alt", "viejo", "vieja", "viejos", "viejas", false, true, true},
    {"young", "jung", "jung", "joven", "joven", "jóvenes", "jóvenes", false, true, false},
    {"big", "groß", "groß", "grande", "grande", "grandes", "grandes", false, true, true},
    {"small", "klein", "klein", "pequeño", "pequeña", "pequeños", "pequeñas", false, true, true},
    {"beautiful", "schön", "schön", "hermoso", "hermosa", "hermosos", "hermosas", false, true, true},
    {"friendly", "freundlich", "freundlich", "amable", "amable", "amables", "amables", false, true, false},
    {"red", "rot", "rot", "rojo", "roja", "rojos", "rojas", false, false, true},
    {"blue", "blau", "blau", "azul", "azul", "azules", "azules", false, false, true},
    {"green", "grün", "grün", "verde", "verde", "verdes", "verdes", false, false, true},
    {"white", "weiß", "weiß", "blanco", "blanca", "blancos", "blancas", false, false, true},
    {"black", "schwarz", "schwarz", "negro", "negra", "negros", "negras", false, false, true},
    {"new", "neu", "neu", "nuevo", "nueva", "nuevos", "nuevas", false, false, true},
    {"heavy", "schwer", "schwer", "pesado", "pesada", "pesados", "pesadas", false, false, true},
    {"expensive", "teur", "teuer", "caro", "cara", "caros", "caras", false, false, true},
    {"tired", "müd", "müde", "cansado", "cansada", "cansados", "cansadas", true, true, false},
    {"hungry", "hungrig", "hungrig", "hambriento", "hambrienta", "hambrientos", "hambrientas", true, true,
     false},
    {"happy", "glücklich", "glücklich", "contento", "contenta", "contentos", "contentas", true, true, false},
    {"clean", "sauber", "sauber", "limpio", "limpia", "limpios", "limpias", true, false, true},
    {"broken", "kaputt", "kaputt", "roto", "rota", "rotos", "rotas", true, false, true},
};
constexpr Verb kOfThings[] = {
    {"buy", "buys", "kaufe", "kauft", "kaufen", "compro", "compra", "compramos", "compran", "comprar"},
    {"sell", "sells", "verkaufe", "verkauft", "verkaufen", "vendo", "vende", "vendemos", "venden", "vender"},
    {"carry", "carries", "trage", "trägt", "tragen", "llevo", "lleva", "llevamos", "llevan", "llevar"},
    {"need", "needs", "brauche", "braucht", "brauchen", "necesito", "necesita", "necesitamos", "necesitan",
     "necesitar"},
    {"clean", "cleans", "putze", "putzt", "putzen", "limpio", "limpia", "limpiamos", "limpian", "limpiar"},
};
constexpr Verb kOfAnything[] = {
    {"see", "sees", "sehe", "sieht", "sehen", "veo", "ve", "vemos", "ven", "ver"},
    {"find", "finds", "finde", "findet", "finden", "encuentro", "encuentra", "encontramos", "encuentran",
     "encontrar"},
    {"paint", "paints", "male", "malt", "malen", "pinto", "pinta", "pintamos", "pintan", "pintar"},
    {"look for", "looks for", "suche", "sucht", "suchen", "busco", "busca", "buscamos", "buscan", "buscar"},
    {"hear", "hears", "höre", "hört", "hören", "oigo", "oye", "oímos", "oyen", "oír"},
    {"forget", "forgets", "vergesse", "vergisst", "vergessen", "olvido", "olvida", "olvidamos", "olvidan",
     "olvidar"},
};
constexpr Verb kAlone[] = {
    {"sleep", "sleeps", "schlafe", "schläft", "schlafen", "duermo", "duerme", "dormimos", "duermen",
     "dormir"},
    {"work", "works", "arbeite", "arbeitet", "arbeiten", "trabajo", "trabaja", "trabajamos", "trabajan",
     "trabajar"},
    {"sing", "sings", "singe", "singt", "singen", "canto", "canta", "cantamos", "cantan", "cantar"},
    {"wait", "waits", "warte", "wartet", "warten", "espero", "espera", "esperamos", "esperan", "esperar"},
    {"dance", "dances", "tanze", "tanzt", "tanzen", "bailo", "baila", "bailamos", "bailan", "bailar"},
    {"eat", "eats", "esse", "isst", "essen", "como", "come", "comemos", "comen", "comer"},
    {"play", "plays", "spiele", "spielt", "spielen", "juego", "juega", "jugamos", "juegan", "jugar"},
    {"run", "runs", "laufe", "läuft", "laufen", "corro", "corre", "corremos", "corren", "correr"},
    {"live", "lives", "wohne", "wohnt", "wohnen", "vivo", "vive", "vivimos", "viven", "vivir"},
};
constexpr Verb kOfGiving[] = {
    {"give", "gives", "gebe", "gibt", "geben", "doy", "da", "damos", "dan", "dar"},
    {"show", "shows", "zeige", "zeigt", "zeigen", "muestro", "muestra", "mostramos", "muestran", "mostrar"},
    {"bring", "brings", "bringe", "bringt", "bringen", "traigo", "trae", "traemos", "traen", "traer"},
};
constexpr Verb kModals[] = {
    {"want to", "wants to", "will", "will", "wollen", "quiero", "quiere", "queremos", "quieren", ""},
    {"can", "can", "kann", "kann", "können", "puedo", "puede", "podemos", "pueden", ""},
    {"must", "must", "muss", "muss", "müssen", "tengo que", "tiene que", "tenemos que", "tienen que", ""},
};
constexpr Phrase kPlaces[] = {
    {"in the garden", "im Garten", "en el jardín"},
    {"in the kitchen", "in der Küche", "en la cocina"},
    {"in the school", "in der Schule", "en la escuela"},
    {"in the park", "im Park", "en el parque"},
    {"in the forest", "im Wald", "en el bosque"},
    {"in the city", "in der Stadt", "en la ciudad"},
    {"in the village", "im Dorf", "en el pueblo"},
    {"on the beach", "am Strand", "en la playa"},
    {"at the station", "am Bahnhof", "en la estación"},
    {"at the market", "auf dem Markt", "en el mercado"},
    {"on the street", "auf der Straße", "en la calle"},
    {"behind the church", "hinter der Kirche", "detrás de la iglesia"},
    {"under the tree", "unter dem Baum", "debajo del árbol"},
    {"near the bridge", "bei der Brücke", "cerca del puente"},
};
constexpr Phrase kTimes[] = {
    {"today", "heute", "hoy"},
    {"now", "jetzt", "ahora"},
    {"every day", "jeden Tag", "todos los días"},
    {"in the morning", "am Morgen", "por la mañana"},
    {"in the evening", "am Abend", "por la tarde"},
    {"at night", "in der Nacht", "por la noche"},
    {"on Monday", "am Montag", "el lunes"},
    {"on Friday", "am Freitag", "el viernes"},
    {"on Sunday", "am Sonntag", "el domingo"},
    {"in summer", "im Sommer", "en verano"},
    {"in winter", "im Winter", "en invierno"},
};
constexpr Event kEvents[] = {
    {{"the train leaves", "der Zug fährt", "el tren sale"}, "ab"},
    {{"the bus leaves", "der Bus fährt", "el autobús sale"}, "ab"},
    {{"the shop opens", "das Geschäft öffnet", "la tienda abre"}, ""},
    {{"the concert begins", "das Konzert beginnt", "el concierto empieza"}, ""},
};
constexpr const char* kEnglish[] = {"",        "one",     "two",       "three",    "four",
                                    "five",    "six",     "seven",     "eight",    "nine",
                                    "ten",     "eleven",  "twelve",    "thirteen", "fourteen",
                                    "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"};
constexpr const char* kEnglishTens[] = {"",      "",      "twenty",  "thirty", "forty",
                                        "fifty", "sixty", "seventy", "eighty", "ninety"};
constexpr const char* kGerman[] = {"",         "ein",      "zwei",     "drei",     "vier",
                                   "fünf",     "sechs",    "sieben",   "acht",     "neun",
                                   "zehn",     "elf",      "zwölf",    "dreizehn", "vierzehn",
                                   "fünfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn"};
constexpr const char* kGermanTens[] = {"",        "",        "zwanzig", "dreißig", "vierzig",
                                       "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"};
constexpr const char* kSpanish[] = {
    "",           "un",         "dos",        "tres",         "cuatro",      "cinco",      "seis",
    "siete",      "ocho",       "nueve",      "diez",         "once",        "doce",       "trece",
    "catorce",    "quince",     "dieciséis",  "diecisiete",   "dieciocho",   "diecinueve", "veinte",
    "veintiún",   "veintidós",  "veintitrés", "veinticuatro", "veinticinco", "veintiséis", "veintisiete",
    "veintiocho", "veintinueve"};
constexpr const char* kSpanishTens[] = {"",          "",        "",        "treinta", "cuarenta",
                                        "cincuenta", "sesenta", "setenta", "ochenta", "noventa"};
// clang-format on

} // namespace

std::span<const Noun> people() {
    return kPeople;
}
std::span<const Noun> animals() {
    return kAnimals;
}
std::span<const Noun> things() {
    return kThings;
}
std::span<const Adjective> adjectives() {
    return kAdjectives;
}
std::span<const Verb> verbsOfThings() {
    return kOfThings;
}
std::span<const Verb> verbsOfAnything() {
    return kOfAnything;
}
std::span<const Verb> verbsAlone() {
    return kAlone;
}
std::span<const Verb> verbsOfGiving() {
    return kOfGiving;
}
std::span<const Verb> modals() {
    return kModals;
}
std::span<const Phrase> places() {
    return kPlaces;
}
std::span<const Phrase> times() {
    return kTimes;
}
std::span<const Event> events() {
    return kEvents;
}

std::string englishNumber(int number) {
    if (number < 20)
        return kEnglish[number];
    // Without the hyphen: the two words have a time each.
    return std::string(kEnglishTens[number / 10]) + (number % 10 ? " " : "") + kEnglish[number % 10];
}

std::string germanNumber(int number) {
    if (number < 20)
        return kGerman[number];
    return std::string(kGerman[number % 10]) + (number % 10 ? "und" : "") + kGermanTens[number / 10];
}

std::string spanishNumber(int number) {
    if (number < 30)
        return kSpanish[number];
    return std::string(kSpanishTens[number / 10]) + (number % 10 ? " y " : "") + kSpanish[number % 10];
}

} // namespace headroom::training
