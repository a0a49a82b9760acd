"""Claims in other languages than English: said again they are proved, turned round they never are."""

import pytest

from pincite_server.grounding.claims import judge_claim
from pincite_server.grounding.evidence import Evidence

DOCS = {
    "fr": (
        "Un bail dure 30 secondes par défaut. "
        "Le serveur supprime les tâches terminées après sept jours. "
        "Une file en pause n'accepte pas de nouvelles tâches. "
        "Activez le cache avant de démarrer le serveur."
    ),
    "de": (
        "Eine Sperre dauert standardmäßig 30 Sekunden. "
        "Der Server löscht beendete Aufgaben nach sieben Tagen. "
        "Eine pausierte Warteschlange nimmt keine neuen Aufgaben an. "
        "Aktivieren Sie den Cache vor dem Start des Servers."
    ),
    "ru": (
        "Аренда по умолчанию длится 30 секунд. "
        "Сервер удаляет завершённые задачи через семь дней. "
        "Приостановленная очередь не принимает новые задачи. "
        "Включите кэш до запуска сервера."
    ),
    "zh": ("租约默认持续30秒。服务器在七天后删除已完成的任务。暂停的队列不接受新任务。启动服务器之前启用缓存。"),
    "ja": (
        "リースは既定で30秒続きます。"
        "サーバーは完了したジョブを7日後に削除します。"
        "一時停止したキューは新しいジョブを受け付けません。"
        "サーバーの起動前にキャッシュを有効にします。"
    ),
    "ko": (
        "임대는 기본적으로 30초 동안 지속됩니다. "
        "서버는 완료된 작업을 7일 후에 삭제합니다. "
        "일시 중지된 큐는 새 작업을 받지 않습니다."
    ),
    "es": (
        "Un arriendo dura 30 segundos por defecto. "
        "Una cola en pausa no acepta tareas nuevas. "
        "Active la caché antes de iniciar el servidor."
    ),
    "vi": ("Hợp đồng thuê kéo dài 30 giây theo mặc định. Hàng đợi tạm dừng không nhận tác vụ mới."),
    "fa": ("اجاره به طور پیش\u200cفرض 30 ثانیه طول می\u200cکشد. صف متوقف\u200cشده کار جدید نمی\u200cپذیرد."),
    "pt": (
        "Um arrendamento dura 30 segundos por padrão. "
        "Uma fila pausada não aceita novas tarefas. "
        "Ative o cache antes de iniciar o servidor."
    ),
}
SAID_AGAIN = [
    ("fr", "Un bail dure 30 secondes."),
    ("fr", "Une file en pause n'accepte pas de tâches."),
    ("de", "Eine Sperre dauert 30 Sekunden."),
    ("de", "Eine pausierte Warteschlange nimmt keine Aufgaben an."),
    ("ru", "Аренда длится 30 секунд."),
    ("ru", "Приостановленная очередь не принимает задачи."),
    ("zh", "租约持续30秒。"),
    ("zh", "暂停的队列不接受新任务。"),
    ("ja", "リースは30秒続きます。"),
    ("ja", "一時停止したキューは新しいジョブを受け付けません。"),
    ("ko", "임대는 30초 동안 지속됩니다."),
    ("ko", "일시 중지된 큐는 새 작업을 받지 않습니다."),
    ("es", "Un arriendo dura 30 segundos."),
    ("es", "Una cola en pausa no acepta tareas."),
    ("vi", "Hợp đồng thuê kéo dài 30 giây."),
    ("vi", "Hàng đợi tạm dừng không nhận tác vụ mới."),
    ("fa", "اجاره 30 ثانیه طول می\u200cکشد."),
    ("fa", "صف متوقف\u200cشده کار جدید نمی\u200cپذیرد."),
    ("pt", "Um arrendamento dura 30 segundos."),
    ("pt", "Uma fila pausada não aceita tarefas."),
]
TURNED = [
    ("fr", "Un bail ne dure pas 30 secondes."),
    ("fr", "Un bail dure 30 minutes."),
    ("fr", "Une file en pause accepte de nouvelles tâches."),
    ("fr", "Désactivez le cache avant de démarrer le serveur."),
    ("fr", "Activez le cache après avoir démarré le serveur."),
    ("fr", "Un bail dure toujours 30 secondes."),
    ("de", "Eine Sperre dauert nicht 30 Sekunden."),
    ("de", "Eine Sperre dauert 30 Minuten."),
    ("de", "Eine pausierte Warteschlange nimmt neue Aufgaben an."),
    ("de", "Deaktivieren Sie den Cache vor dem Start des Servers."),
    ("de", "Aktivieren Sie den Cache nach dem Start des Servers."),
    ("ru", "Аренда не длится 30 секунд."),
    ("ru", "Аренда длится 30 минут."),
    ("ru", "Приостановленная очередь принимает новые задачи."),
    ("ru", "Включите кэш после запуска сервера."),
    ("zh", "租约持续30分钟。"),
    ("zh", "暂停的队列接受新任务。"),
    ("zh", "启动服务器之前禁用缓存。"),
    ("zh", "启动服务器之后启用缓存。"),
    ("ja", "リースは30分続きます。"),
    ("ja", "一時停止したキューは新しいジョブを受け付けます。"),
    ("ja", "サーバーの起動前にキャッシュを無効にします。"),
    ("ko", "임대는 30분 동안 지속됩니다."),
    ("ko", "일시 중지된 큐는 새 작업을 받습니다."),
    ("es", "Un arriendo dura 30 minutos."),
    ("es", "Una cola en pausa acepta tareas nuevas."),
    ("es", "Active la caché después de iniciar el servidor."),
    ("vi", "Hợp đồng thuê kéo dài 30 phút."),
    ("vi", "Hàng đợi tạm dừng nhận tác vụ mới."),
    ("fa", "اجاره 30 دقیقه طول می\u200cکشد."),
    ("fa", "صف متوقف\u200cشده کار جدید می\u200cپذیرد."),
    ("pt", "Um arrendamento dura 30 minutos."),
    ("pt", "Uma fila pausada aceita novas tarefas."),
    ("pt", "Ative o cache depois de iniciar o servidor."),
]


def proof(language: str, claim: str) -> str:
    evidence = Evidence.of("", DOCS[language], language)
    return judge_claim(claim, evidence, evidence).proof


@pytest.mark.parametrize(("language", "claim"), SAID_AGAIN)
def test_what_the_docs_say_is_proved(language: str, claim: str) -> None:
    assert proof(language, claim) == "verified"


@pytest.mark.parametrize(("language", "claim"), TURNED)
def test_what_negates_reverses_or_miscounts_the_docs_is_never_proved(language: str, claim: str) -> None:
    assert proof(language, claim) != "verified"
