/** The names that chats use most; an unknown name is shown as it was written. */
const NAMES = `
+1 👍|thumbsup 👍|-1 👎|thumbsdown 👎|ok_hand 👌|wave 👋|clap 👏|raised_hands 🙌|pray 🙏|muscle 💪|point_up ☝️|point_right 👉
point_left 👈|point_down 👇|raised_hand ✋|hand ✋|handshake 🤝|writing_hand ✍️|eyes 👀|brain 🧠|speech_balloon 💬|thought_balloon 💭
smile 😄|smiley 😃|grinning 😀|grin 😁|joy 😂|laughing 😆|wink 😉|blush 😊|slightly_smiling_face 🙂|simple_smile 🙂|upside_down_face 🙃
heart_eyes 😍|thinking_face 🤔|thinking 🤔|neutral_face 😐|confused 😕|worried 😟|cry 😢|sob 😭|angry 😠|rage 😡|scream 😱|sweat_smile 😅
sunglasses 😎|partying_face 🥳|nerd_face 🤓|face_with_monocle 🧐|zipper_mouth_face 🤐|sleeping 😴|shrug 🤷|facepalm 🤦|robot_face 🤖|robot 🤖
ghost 👻|skull 💀|see_no_evil 🙈|hear_no_evil 🙉|speak_no_evil 🙊|heart ❤️|broken_heart 💔|green_heart 💚|blue_heart 💙|yellow_heart 💛
sparkles ✨|star ⭐|star2 🌟|fire 🔥|boom 💥|zap ⚡|rainbow 🌈|sunny ☀️|cloud ☁️|snowflake ❄️|tada 🎉|confetti_ball 🎊|gift 🎁|balloon 🎈
trophy 🏆|medal 🏅|dart 🎯|game_die 🎲|rocket 🚀|airplane ✈️|car 🚗|ship 🚢|construction 🚧|rotating_light 🚨|vertical_traffic_light 🚦
white_check_mark ✅|heavy_check_mark ✔️|ballot_box_with_check ☑️|x ❌|negative_squared_cross_mark ❎|heavy_multiplication_x ✖️|no_entry ⛔
no_entry_sign 🚫|warning ⚠️|exclamation ❗|question ❓|grey_question ❔|grey_exclamation ❕|bangbang ‼️|interrobang ⁉️|100 💯|information_source ℹ️
heavy_plus_sign ➕|heavy_minus_sign ➖|red_circle 🔴|large_red_circle 🔴|large_orange_circle 🟠|large_yellow_circle 🟡|large_green_circle 🟢
large_blue_circle 🔵|large_purple_circle 🟣|white_circle ⚪|black_circle ⚫|red_square 🟥|large_green_square 🟩|large_blue_square 🟦
hourglass ⌛|hourglass_flowing_sand ⏳|watch ⌚|alarm_clock ⏰|stopwatch ⏱️|clock1 🕐|calendar 📅|date 📅|spiral_calendar_pad 🗓️|bell 🔔|no_bell 🔕
memo 📝|pencil 📝|pencil2 ✏️|page_facing_up 📄|clipboard 📋|file_folder 📁|open_file_folder 📂|card_index_dividers 🗂️|paperclip 📎|link 🔗
bookmark 🔖|label 🏷️|package 📦|inbox_tray 📥|outbox_tray 📤|email 📧|envelope ✉️|mailbox 📫|key 🔑|lock 🔒|unlock 🔓|closed_lock_with_key 🔐
mag 🔍|mag_right 🔎|bulb 💡|wrench 🔧|hammer 🔨|hammer_and_wrench 🛠️|gear ⚙️|nut_and_bolt 🔩|toolbox 🧰|magnet 🧲|test_tube 🧪|microscope 🔬
computer 💻|desktop_computer 🖥️|keyboard ⌨️|floppy_disk 💾|cd 💿|battery 🔋|electric_plug 🔌|iphone 📱|telephone_receiver 📞|satellite 🛰️
globe_with_meridians 🌐|earth_americas 🌎|earth_africa 🌍|earth_asia 🌏|house 🏠|office 🏢|bank 🏦|moneybag 💰|credit_card 💳|dollar 💵
chart_with_upwards_trend 📈|chart_with_downwards_trend 📉|bar_chart 📊|bug 🐛|ant 🐜|bee 🐝|snail 🐌|turtle 🐢|whale 🐳|penguin 🐧|cat 🐱|dog 🐶
coffee ☕|tea 🍵|beer 🍺|beers 🍻|pizza 🍕|cake 🍰|cookie 🍪|apple 🍎|arrow_right ➡️|arrow_left ⬅️|arrow_up ⬆️|arrow_down ⬇️
arrow_upper_right ↗️|arrow_forward ▶️|arrows_counterclockwise 🔄|repeat 🔁|leftwards_arrow_with_hook ↩️|double_vertical_bar ⏸️|black_square_for_stop ⏹️
fast_forward ⏩|rewind ⏪|zero 0️⃣|one 1️⃣|two 2️⃣|three 3️⃣|four 4️⃣|five 5️⃣|six 6️⃣|seven 7️⃣|eight 8️⃣|nine 9️⃣|keycap_ten 🔟
busts_in_silhouette 👥|bust_in_silhouette 👤|man 👨|woman 👩|detective 🕵️|mega 📣|loudspeaker 📢|shield 🛡️|checkered_flag 🏁|triangular_flag_on_post 🚩
`;

const BY_NAME = new Map(
  NAMES.split(/[|\n]/).flatMap((entry): [string, string][] => {
    const [name, glyph] = entry.trim().split(' ');
    return name && glyph ? [[name, glyph]] : [];
  }),
);

export function emojiNamed(name: string): string | undefined {
  return BY_NAME.get(name.replace(/::skin-tone-\d$/, ''));
}

/** `:name:` in plain text, replaced where the name is known. */
export function withEmoji(text: string): string {
  return text.replace(/:([a-z0-9_+-]+(?:::skin-tone-\d)?):/g, (whole, name: string) => emojiNamed(name) ?? whole);
}
